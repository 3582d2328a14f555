import qualified Data.Map as Map
import Data.Map (Map)
count :: String -> Map Char Int
count = foldr (\c -> Map.insertWith (+) c 1) Map.empty
main = do
  let m = count "mississippi"
  print m
  print (Map.lookup 's' m, Map.findWithDefault 0 'z' m, Map.member 'm' m, Map.size m, m Map.! 'p')
  print (Map.toList (Map.filter (> 1) m), Map.keys m, Map.elems (Map.map negate m))
  print (Map.foldr (+) 0 m, Map.unionWith (+) m (count "sip"), Map.delete 'i' m, Map.adjust (* 10) 'm' m)
  print (fst <$> Map.lookupMin m, Map.insert 'a' 0 m, Map.fromListWith (++) [(1, "a"), (2, "b"), (1, "c")], sum m, length m)
