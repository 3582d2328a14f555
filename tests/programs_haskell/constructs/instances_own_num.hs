newtype V2 = V2 (Int, Int) deriving (Eq, Show)
instance Num V2 where
  V2 (a, b) + V2 (c, d) = V2 (a + c, b + d)
  V2 (a, b) * V2 (c, d) = V2 (a * c, b * d)
  negate (V2 (a, b)) = V2 (negate a, negate b)
  abs v = v
  signum v = v
  fromInteger n = V2 (fromInteger n, fromInteger n)
main = print (V2 (1, 2) + 3, V2 (1, 2) * 2 - 1, sum [V2 (1, 1), V2 (2, 2)])
