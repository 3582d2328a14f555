data Shape = Circle Double | Rect Double Double | Unit deriving (Eq, Ord, Show)
data Tree a = Leaf | Node (Tree a) a (Tree a) deriving (Eq, Show)
insert x Leaf = Node Leaf x Leaf
insert x t@(Node l y r) = case compare x y of { LT -> Node (insert x l) y r; GT -> Node l y (insert x r); EQ -> t }
toList Leaf = []
toList (Node l x r) = toList l ++ [x] ++ toList r
main = do
  print [Circle 1, Rect 2 3.5, Unit]
  print (Circle 1 < Rect 0 0, Unit == Unit, maximum [Unit, Circle 2])
  print (foldr insert Leaf [2, 1, 3])
  print (toList (foldr insert Leaf [5, 2, 8, 1]))
