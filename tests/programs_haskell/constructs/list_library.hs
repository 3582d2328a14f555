import Data.List
import Data.Ord (comparing)
import Data.Function (on)
main = do
  print (sort [3, 1, 2], sortBy (comparing negate) [1, 3, 2], sortOn snd [(1, 'b'), (2, 'a')], nub [1, 2, 1], group "aabc")
  print (partition even [1 .. 6], intercalate ", " ["a", "b"], transpose ["abc", "de"], isPrefixOf "ab" "abc", isInfixOf "bc" "abcd")
  print (foldl' (+) 0 [1 .. 100], insert 3 [1, 5], delete 2 [1, 2, 3, 2], [1, 2, 3] \\ [2], union [1, 2] [2, 3], intersect [1, 2, 3] [2, 3, 4])
  print (subsequences [1, 2, 3], permutations "abc", zip3 [1] [2] [3], find (> 2) [1, 2, 3, 4], groupBy ((==) `on` (`div` 10)) [1, 5, 11, 12, 25])
  print (tails "ab", inits "ab", unfoldr (\n -> if n > 3 then Nothing else Just (n, n + 1)) 1, maximumBy (comparing snd) [(1, 2), (2, 1)], elemIndex 3 [1, 2, 3])
