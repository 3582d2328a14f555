module Data.List (module Data.List, module Prelude) where

infix 5 \\

foldl' :: (b -> a -> b) -> b -> [a] -> b
foldl' _ !z [] = z
foldl' f !z (x:xs) = foldl' f (f z x) xs
sort :: Ord a => [a] -> [a]
sort xs = sortBy compare xs
sortOn :: Ord b => (a -> b) -> [a] -> [a]
sortOn f xs = map snd (sortBy (\a b -> compare (fst a) (fst b)) (map (\x -> let y = f x in y `seq` (y, x)) xs))
sortBy :: (a -> a -> Ordering) -> [a] -> [a]
sortBy cmp list = mergeAll (sequences list)
  where
    sequences (a:b:xs) = case cmp a b of
      GT -> descending b [a] xs
      _ -> ascending b (a:) xs
    sequences xs = [xs]
    descending a as (b:bs) | isGT (cmp a b) = descending b (a:as) bs
    descending a as bs = (a:as) : sequences bs
    ascending a as (b:bs) | not (isGT (cmp a b)) = ascending b (\ys -> as (a:ys)) bs
    ascending a as bs = as [a] : sequences bs
    mergeAll [x] = x
    mergeAll xs = mergeAll (mergePairs xs)
    mergePairs (a:b:xs) = merge a b : mergePairs xs
    mergePairs xs = xs
    merge as@(a:as') bs@(b:bs')
      | isGT (cmp a b) = b : merge as bs'
      | otherwise = a : merge as' bs
    merge [] bs = bs
    merge as [] = as
    isGT GT = True
    isGT _ = False
insert :: Ord a => a -> [a] -> [a]
insert x ys = insertBy compare x ys
insertBy :: (a -> a -> Ordering) -> a -> [a] -> [a]
insertBy _ x [] = [x]
insertBy cmp x ys@(y:ys') = case cmp x y of
  GT -> y : insertBy cmp x ys'
  _ -> x : ys
nub :: Eq a => [a] -> [a]
nub xs = nubBy (==) xs
nubBy :: (a -> a -> Bool) -> [a] -> [a]
nubBy eq l = go l []
  where go [] _ = []
        go (y:ys) seen | any (\s -> eq s y) seen = go ys seen
                       | otherwise = y : go ys (y:seen)
delete :: Eq a => a -> [a] -> [a]
delete x ys = deleteBy (==) x ys
deleteBy :: (a -> a -> Bool) -> a -> [a] -> [a]
deleteBy _ _ [] = []
deleteBy eq x (y:ys) = if eq x y then ys else y : deleteBy eq x ys
(\\) :: Eq a => [a] -> [a] -> [a]
xs \\ ys = foldl (flip delete) xs ys
union, intersect :: Eq a => [a] -> [a] -> [a]
union xs ys = xs ++ foldl (flip delete) (nub ys) xs
intersect xs ys = [x | x <- xs, x `elem` ys]
group :: Eq a => [a] -> [[a]]
group xs = groupBy (==) xs
groupBy :: (a -> a -> Bool) -> [a] -> [[a]]
groupBy _ [] = []
groupBy eq (x:xs) = let (ys, zs) = span (eq x) xs in (x:ys) : groupBy eq zs
partition :: (a -> Bool) -> [a] -> ([a], [a])
partition p xs = foldr (\x ~(ts, fs) -> if p x then (x:ts, fs) else (ts, x:fs)) ([], []) xs
intersperse :: a -> [a] -> [a]
intersperse _ [] = []
intersperse _ [x] = [x]
intersperse s (x:xs) = x : s : intersperse s xs
intercalate :: [a] -> [[a]] -> [a]
intercalate s xss = concat (intersperse s xss)
transpose :: [[a]] -> [[a]]
transpose [] = []
transpose ([]:xss) = transpose xss
transpose ((x:xs):xss) = (x : [h | (h:_) <- xss]) : transpose (xs : [t | (_:t) <- xss])
subsequences :: [a] -> [[a]]
subsequences xs = [] : nonEmpty xs
  where nonEmpty [] = []
        nonEmpty (y:ys) = [y] : foldr (\z r -> z : (y : z) : r) [] (nonEmpty ys)
permutations :: [a] -> [[a]]
permutations xs0 = xs0 : perms xs0 []
  where
    perms [] _ = []
    perms (t:ts) is = foldr interleave (perms ts (t:is)) (permutations is)
      where interleave xs r = let (_, zs) = interleave' id xs r in zs
            interleave' _ [] r = (ts, r)
            interleave' f (y:ys) r = let (us, zs) = interleave' (f . (y:)) ys r
                                     in (y:us, f (t:y:us) : zs)
isPrefixOf, isSuffixOf, isInfixOf :: Eq a => [a] -> [a] -> Bool
isPrefixOf [] _ = True
isPrefixOf _ [] = False
isPrefixOf (x:xs) (y:ys) = x == y && isPrefixOf xs ys
isSuffixOf xs ys = isPrefixOf (reverse xs) (reverse ys)
isInfixOf needle hay = any (isPrefixOf needle) (tails hay)
stripPrefix :: Eq a => [a] -> [a] -> Maybe [a]
stripPrefix [] ys = Just ys
stripPrefix (x:xs) (y:ys) | x == y = stripPrefix xs ys
stripPrefix _ _ = Nothing
tails, inits :: [a] -> [[a]]
tails [] = [[]]
tails xs@(_:rest) = xs : tails rest
inits xs = [] : (case xs of { [] -> []; y:ys -> map (y:) (inits ys) })
find :: (a -> Bool) -> [a] -> Maybe a
find _ [] = Nothing
find p (x:xs) = if p x then Just x else find p xs
findIndex :: (a -> Bool) -> [a] -> Maybe Int
findIndex p xs = case [i | (x, i) <- zip xs [0 ..], p x] of { [] -> Nothing; i:_ -> Just i }
elemIndex :: Eq a => a -> [a] -> Maybe Int
elemIndex x xs = findIndex (== x) xs
maximumBy, minimumBy :: (a -> a -> Ordering) -> [a] -> a
maximumBy cmp xs = foldl1 (\x y -> case cmp x y of { GT -> x; _ -> y }) xs
minimumBy cmp xs = foldl1 (\x y -> case cmp x y of { GT -> y; _ -> x }) xs
unfoldr :: (b -> Maybe (a, b)) -> b -> [a]
unfoldr f b = case f b of { Nothing -> []; Just (a, b') -> a : unfoldr f b' }
genericLength :: Num n => [a] -> n
genericLength [] = 0
genericLength (_:xs) = 1 + genericLength xs
dropWhileEnd :: (a -> Bool) -> [a] -> [a]
dropWhileEnd p xs = foldr (\x acc -> if p x && null acc then [] else x : acc) [] xs
uncons :: [a] -> Maybe (a, [a])
uncons [] = Nothing
uncons (x:xs) = Just (x, xs)
mapAccumL :: (s -> a -> (s, b)) -> s -> [a] -> (s, [b])
mapAccumL _ s [] = (s, [])
mapAccumL f s (x:xs) = let { (s1, y) = f s x; (s2, ys) = mapAccumL f s1 xs } in (s2, y : ys)
