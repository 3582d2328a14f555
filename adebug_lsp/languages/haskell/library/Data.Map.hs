module Data.Map (Map, empty, singleton, fromList, fromListWith, fromListWithKey, toList, toAscList, toDescList, assocs, keys,
  elems, insert, insertWith, insertWithKey, delete, adjust, alter, update, lookup, findWithDefault, member, notMember, size,
  null, map, mapWithKey, filter, filterWithKey, foldr, foldl, foldrWithKey, foldlWithKey, union, unionWith, unions, unionsWith,
  difference, intersection, intersectionWith, (!), (!?), lookupMin, lookupMax, findMin, findMax, deleteMin, deleteMax,
  partition, mapMaybe, foldr', foldl', minViewWithKey, maxViewWithKey, minView, maxView, elemAt,
  lookupLE, lookupGE, lookupLT, lookupGT, split, mapKeys) where

import Prelude hiding (lookup, map, filter, foldr, foldl, null, toList)
import qualified Prelude as P

infixl 9 !, !?

data Map k a = Tip | Bin Int k a (Map k a) (Map k a)

instance (Eq k, Eq a) => Eq (Map k a) where
  a == b = toAscList a == toAscList b
instance (Ord k, Ord a) => Ord (Map k a) where
  compare a b = compare (toAscList a) (toAscList b)
instance (Show k, Show a) => Show (Map k a) where
  showsPrec d m = showParen (d > 10) (showString "fromList " . shows (toAscList m))
instance Functor (Map k) where
  fmap f m = map f m
instance Foldable (Map k) where
  foldr f z m = foldr f z m
  length m = size m
  null m = null m
instance Traversable (Map k) where
  traverse _ Tip = pure Tip
  traverse f (Bin s k x l r) = liftA2 (\l' g -> g l') (traverse f l) (liftA2 (\x' r' l' -> Bin s k x' l' r') (f x) (traverse f r))
instance Ord k => Semigroup (Map k a) where
  (<>) = union
instance Ord k => Monoid (Map k a) where
  mempty = Tip

empty :: Map k a
empty = Tip
singleton :: k -> a -> Map k a
singleton k x = Bin 1 k x Tip Tip
size :: Map k a -> Int
size Tip = 0
size (Bin s _ _ _ _) = s
null :: Map k a -> Bool
null Tip = True
null _ = False

bin :: k -> a -> Map k a -> Map k a -> Map k a
bin k x l r = let s = size l + size r + 1 in s `seq` Bin s k x l r

balance :: k -> a -> Map k a -> Map k a -> Map k a
balance k x l r
  | sl + sr <= 1 = bin k x l r
  | sr > 3 * sl = rotateL k x l r
  | sl > 3 * sr = rotateR k x l r
  | otherwise = bin k x l r
  where sl = size l
        sr = size r
rotateL, rotateR :: k -> a -> Map k a -> Map k a -> Map k a
rotateL k x l r@(Bin _ _ _ ly ry) = if size ly < 2 * size ry then singleL k x l r else doubleL k x l r
rotateL k x l Tip = bin k x l Tip
rotateR k x l@(Bin _ _ _ ly ry) r = if size ry < 2 * size ly then singleR k x l r else doubleR k x l r
rotateR k x Tip r = bin k x Tip r
singleL, singleR, doubleL, doubleR :: k -> a -> Map k a -> Map k a -> Map k a
singleL k1 x1 t1 (Bin _ k2 x2 t2 t3) = bin k2 x2 (bin k1 x1 t1 t2) t3
singleL k x l Tip = bin k x l Tip
singleR k1 x1 (Bin _ k2 x2 t1 t2) t3 = bin k2 x2 t1 (bin k1 x1 t2 t3)
singleR k x Tip r = bin k x Tip r
doubleL k1 x1 t1 (Bin _ k2 x2 (Bin _ k3 x3 t2 t3) t4) = bin k3 x3 (bin k1 x1 t1 t2) (bin k2 x2 t3 t4)
doubleL k x l r = singleL k x l r
doubleR k1 x1 (Bin _ k2 x2 t1 (Bin _ k3 x3 t2 t3)) t4 = bin k3 x3 (bin k2 x2 t1 t2) (bin k1 x1 t3 t4)
doubleR k x l r = singleR k x l r

insert :: Ord k => k -> a -> Map k a -> Map k a
insert kx x Tip = singleton kx x
insert kx x (Bin s ky y l r) = case compare kx ky of
  LT -> balance ky y (insert kx x l) r
  GT -> balance ky y l (insert kx x r)
  EQ -> Bin s kx x l r
insertWith :: Ord k => (a -> a -> a) -> k -> a -> Map k a -> Map k a
insertWith f k x m = insertWithKey (\_ a b -> f a b) k x m
insertWithKey :: Ord k => (k -> a -> a -> a) -> k -> a -> Map k a -> Map k a
insertWithKey _ kx x Tip = singleton kx x
insertWithKey f kx x (Bin s ky y l r) = case compare kx ky of
  LT -> balance ky y (insertWithKey f kx x l) r
  GT -> balance ky y l (insertWithKey f kx x r)
  EQ -> Bin s kx (f kx x y) l r
delete :: Ord k => k -> Map k a -> Map k a
delete _ Tip = Tip
delete k (Bin _ kx x l r) = case compare k kx of
  LT -> balance kx x (delete k l) r
  GT -> balance kx x l (delete k r)
  EQ -> glue l r
glue :: Map k a -> Map k a -> Map k a
glue Tip r = r
glue l Tip = l
glue l r
  | size l > size r = let (km, m) = findMax l in balance km m (deleteMax l) r
  | otherwise = let (km, m) = findMin r in balance km m l (deleteMin r)
alter :: Ord k => (Maybe a -> Maybe a) -> k -> Map k a -> Map k a
alter f k m = case f (lookup k m) of
  Nothing -> delete k m
  Just x -> insert k x m
adjust :: Ord k => (a -> a) -> k -> Map k a -> Map k a
adjust _ _ Tip = Tip
adjust f k (Bin s kx x l r) = case compare k kx of
  LT -> Bin s kx x (adjust f k l) r
  GT -> Bin s kx x l (adjust f k r)
  EQ -> Bin s kx (f x) l r
update :: Ord k => (a -> Maybe a) -> k -> Map k a -> Map k a
update f k m = alter (\v -> v >>= f) k m
lookup :: Ord k => k -> Map k a -> Maybe a
lookup _ Tip = Nothing
lookup k (Bin _ kx x l r) = case compare k kx of
  LT -> lookup k l
  GT -> lookup k r
  EQ -> Just x
member, notMember :: Ord k => k -> Map k a -> Bool
member k m = case lookup k m of { Nothing -> False; Just _ -> True }
notMember k m = not (member k m)
findWithDefault :: Ord k => a -> k -> Map k a -> a
findWithDefault d k m = case lookup k m of { Nothing -> d; Just x -> x }
(!) :: Ord k => Map k a -> k -> a
m ! k = case lookup k m of { Nothing -> error "Map.!: given key is not an element in the map"; Just x -> x }
(!?) :: Ord k => Map k a -> k -> Maybe a
m !? k = lookup k m
lookupMin, lookupMax :: Map k a -> Maybe (k, a)
lookupMin Tip = Nothing
lookupMin (Bin _ k x Tip _) = Just (k, x)
lookupMin (Bin _ _ _ l _) = lookupMin l
lookupMax Tip = Nothing
lookupMax (Bin _ k x _ Tip) = Just (k, x)
lookupMax (Bin _ _ _ _ r) = lookupMax r
findMin, findMax :: Map k a -> (k, a)
findMin m = case lookupMin m of { Just r -> r; Nothing -> error "Map.findMin: empty map has no minimal element" }
findMax m = case lookupMax m of { Just r -> r; Nothing -> error "Map.findMax: empty map has no maximal element" }
deleteMin, deleteMax :: Map k a -> Map k a
deleteMin Tip = Tip
deleteMin (Bin _ _ _ Tip r) = r
deleteMin (Bin _ k x l r) = balance k x (deleteMin l) r
deleteMax Tip = Tip
deleteMax (Bin _ _ _ l Tip) = l
deleteMax (Bin _ k x l r) = balance k x l (deleteMax r)
minViewWithKey, maxViewWithKey :: Map k a -> Maybe ((k, a), Map k a)
minViewWithKey m = case lookupMin m of { Nothing -> Nothing; Just r -> Just (r, deleteMin m) }
maxViewWithKey m = case lookupMax m of { Nothing -> Nothing; Just r -> Just (r, deleteMax m) }
minView, maxView :: Map k a -> Maybe (a, Map k a)
minView m = case lookupMin m of { Nothing -> Nothing; Just r -> Just (snd r, deleteMin m) }
maxView m = case lookupMax m of { Nothing -> Nothing; Just r -> Just (snd r, deleteMax m) }
elemAt :: Int -> Map k a -> (k, a)
elemAt i m = toAscList m !! i
lookupLE, lookupGE, lookupLT, lookupGT :: Ord k => k -> Map k a -> Maybe (k, a)
lookupLE k m = lastOf (P.filter (\p -> fst p <= k) (toAscList m))
lookupLT k m = lastOf (P.filter (\p -> fst p < k) (toAscList m))
lookupGE k m = firstOf (P.filter (\p -> fst p >= k) (toAscList m))
lookupGT k m = firstOf (P.filter (\p -> fst p > k) (toAscList m))
firstOf, lastOf :: [a] -> Maybe a
firstOf [] = Nothing
firstOf (x:_) = Just x
lastOf [] = Nothing
lastOf xs = Just (last xs)
split :: Ord k => k -> Map k a -> (Map k a, Map k a)
split k m = (filterWithKey (\q _ -> q < k) m, filterWithKey (\q _ -> q > k) m)

fromList :: Ord k => [(k, a)] -> Map k a
fromList xs = go Tip xs
  where go m [] = m
        go m ((k, x):rest) = go (insert k x m) rest
fromListWith :: Ord k => (a -> a -> a) -> [(k, a)] -> Map k a
fromListWith f xs = fromListWithKey (\_ a b -> f a b) xs
fromListWithKey :: Ord k => (k -> a -> a -> a) -> [(k, a)] -> Map k a
fromListWithKey f xs = go Tip xs
  where go m [] = m
        go m ((k, x):rest) = go (insertWithKey f k x m) rest
foldrWithKey :: (k -> a -> b -> b) -> b -> Map k a -> b
foldrWithKey _ z Tip = z
foldrWithKey f z (Bin _ k x l r) = foldrWithKey f (f k x (foldrWithKey f z r)) l
foldlWithKey :: (b -> k -> a -> b) -> b -> Map k a -> b
foldlWithKey _ z Tip = z
foldlWithKey f z (Bin _ k x l r) = foldlWithKey f (f (foldlWithKey f z l) k x) r
foldr, foldr' :: (a -> b -> b) -> b -> Map k a -> b
foldr f z m = foldrWithKey (\_ x acc -> f x acc) z m
foldr' f z m = foldr f z m
foldl, foldl' :: (b -> a -> b) -> b -> Map k a -> b
foldl f z m = foldlWithKey (\acc _ x -> f acc x) z m
foldl' f z m = foldl f z m
toAscList, assocs, toDescList, toList :: Map k a -> [(k, a)]
toAscList m = foldrWithKey (\k x xs -> (k, x) : xs) [] m
assocs m = toAscList m
toList m = toAscList m
toDescList m = foldlWithKey (\xs k x -> (k, x) : xs) [] m
keys :: Map k a -> [k]
keys m = foldrWithKey (\k _ ks -> k : ks) [] m
elems :: Map k a -> [a]
elems m = foldrWithKey (\_ x xs -> x : xs) [] m
map :: (a -> b) -> Map k a -> Map k b
map f m = mapWithKey (\_ x -> f x) m
mapWithKey :: (k -> a -> b) -> Map k a -> Map k b
mapWithKey _ Tip = Tip
mapWithKey f (Bin s k x l r) = Bin s k (f k x) (mapWithKey f l) (mapWithKey f r)
mapKeys :: Ord k2 => (k1 -> k2) -> Map k1 a -> Map k2 a
mapKeys f m = fromList (P.map (\p -> (f (fst p), snd p)) (toAscList m))
filter :: Ord k => (a -> Bool) -> Map k a -> Map k a
filter p m = filterWithKey (\_ x -> p x) m
filterWithKey :: Ord k => (k -> a -> Bool) -> Map k a -> Map k a
filterWithKey p m = fromList (P.filter (\q -> p (fst q) (snd q)) (toAscList m))
partition :: Ord k => (a -> Bool) -> Map k a -> (Map k a, Map k a)
partition p m = (filter p m, filter (not . p) m)
mapMaybe :: Ord k => (a -> Maybe b) -> Map k a -> Map k b
mapMaybe f m = fromList [(k, y) | (k, x) <- toAscList m, Just y <- [f x]]
union :: Ord k => Map k a -> Map k a -> Map k a
union a b = foldrWithKey insert b a
unionWith :: Ord k => (a -> a -> a) -> Map k a -> Map k a -> Map k a
unionWith f a b = foldrWithKey (insertWith f) b a
unions :: Ord k => [Map k a] -> Map k a
unions ms = P.foldl union empty ms
unionsWith :: Ord k => (a -> a -> a) -> [Map k a] -> Map k a
unionsWith f ms = P.foldl (unionWith f) empty ms
difference :: Ord k => Map k a -> Map k b -> Map k a
difference a b = filterWithKey (\k _ -> notMember k b) a
intersection :: Ord k => Map k a -> Map k b -> Map k a
intersection a b = filterWithKey (\k _ -> member k b) a
intersectionWith :: Ord k => (a -> b -> c) -> Map k a -> Map k b -> Map k c
intersectionWith f a b = fromList [(k, f x y) | (k, x) <- toAscList a, Just y <- [lookup k b]]
