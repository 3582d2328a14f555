{- a block {- nested -} comment -}
-- | documentation
prime' :: Int -> Bool -- trailing
prime' n' = null [d | d <- [2 .. n' - 1], n' `mod` d == 0]
(-->) :: Int -> Int -> Int
a --> b = a * 10 + b -- an operator that begins like a comment
main = print (map prime' [2, 4, 7], 1 --> 2, 0x1F, 0o17, 1e3)
