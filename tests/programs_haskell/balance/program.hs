-- An AVL tree: insertion keeps it balanced.
module Main where

data Avl = Tip | Node Int Avl Int Avl

height :: Avl -> Int
height Tip = 0
height (Node h _ _ _) = h

node :: Avl -> Int -> Avl -> Avl
node left x right = Node (max (height left) (height right)) left x right

balance :: Avl -> Int -> Avl -> Avl
balance left x right
  | difference > 1 = rotateRight left x right
  | difference < (-1) = rotateLeft left x right
  | otherwise = node left x right
  where
    difference = height left - height right

rotateRight :: Avl -> Int -> Avl -> Avl
rotateRight (Node _ a y b) x c
  | height a >= height b = node a y (node b x c)
  | Node _ b1 z b2 <- b = node (node a y b1) z (node b2 x c)
rotateRight left x right = node left x right

rotateLeft :: Avl -> Int -> Avl -> Avl
rotateLeft a x (Node _ b y c)
  | height c >= height b = node (node a x b) y c
  | Node _ b1 z b2 <- b = node (node a x b1) z (node b2 y c)
rotateLeft left x right = node left x right

insert :: Int -> Avl -> Avl
insert x Tip = node Tip x Tip
insert x tree@(Node _ left y right)
  | x < y = balance (insert x left) y right
  | x > y = balance left y (insert x right)
  | otherwise = tree

draw :: Avl -> String
draw Tip = "."
draw (Node _ left x right) = "(" ++ draw left ++ show x ++ draw right ++ ")"

main :: IO ()
main = do
  let tree = foldl (flip insert) Tip [1 .. 6]
  print (height tree)
  putStrLn (draw tree)
