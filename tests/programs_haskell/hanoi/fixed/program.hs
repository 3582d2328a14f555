-- The towers of Hanoi: the moves, and a check that they are allowed.
module Main where

data Peg = A | B | C
  deriving (Eq, Show)

type Move = (Peg, Peg)

moves :: Int -> Peg -> Peg -> Peg -> [Move]
moves 0 _ _ _ = []
moves n from to spare = moves (n - 1) from spare to ++ [(from, to)] ++ moves (n - 1) spare to from

type Towers = ([Int], [Int], [Int])

get :: Peg -> Towers -> [Int]
get A (a, _, _) = a
get B (_, b, _) = b
get C (_, _, c) = c

put :: Peg -> [Int] -> Towers -> Towers
put A a (_, b, c) = (a, b, c)
put B b (a, _, c) = (a, b, c)
put C c (a, b, _) = (a, b, c)

move :: Towers -> Move -> Either String Towers
move towers (from, to) = case (get from towers, get to towers) of
  ([], _) -> Left ("nothing on " ++ show from)
  (x : _, y : _) | x > y -> Left (show x ++ " does not go on " ++ show y)
  (x : rest, below) -> Right (put to (x : below) (put from rest towers))

play :: Int -> Either String Towers
play n = foldl (\state m -> state >>= \towers -> move towers m) (Right ([1 .. n], [], [])) (moves n A B C)

main :: IO ()
main = do
  print (length (moves 3 A B C))
  print (play 3)
