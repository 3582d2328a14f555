-- A binary search tree with insertion, lookup and deletion.
module Main where

data Tree k v = Empty | Node (Tree k v) k v (Tree k v)

insert :: Ord k => k -> v -> Tree k v -> Tree k v
insert key value Empty = Node Empty key value Empty
insert key value (Node left k v right) = case compare key k of
  LT -> Node (insert key value left) k v right
  GT -> Node left k v (insert key value right)
  EQ -> Node left k value right

find :: Ord k => k -> Tree k v -> Maybe v
find _ Empty = Nothing
find key (Node left k v right) = case compare key k of
  LT -> find key left
  GT -> find key right
  EQ -> Just v

toPairs :: Tree k v -> [(k, v)]
toPairs Empty = []
toPairs (Node left k v right) = toPairs left ++ [(k, v)] ++ toPairs right

delete :: Ord k => k -> Tree k v -> Tree k v
delete _ Empty = Empty
delete key (Node left k v right)
  | key < k = Node (delete key left) k v right
  | key > k = Node left k v (delete key right)
  | otherwise = join left right

join :: Tree k v -> Tree k v -> Tree k v
join left Empty = left
join Empty right = right
join left (Node l k v r) = Node (join left l) k v r

fromPairs :: Ord k => [(k, v)] -> Tree k v
fromPairs = foldr (\(k, v) tree -> insert k v tree) Empty

main :: IO ()
main = do
  let tree = fromPairs (zip "haskell" [1 :: Int ..])
  print (toPairs tree)
  print (map (\c -> find c tree) "hlz")
  print (toPairs (delete 'k' tree))
