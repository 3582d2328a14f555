import Data.Maybe
main = print (fromMaybe 0 Nothing, mapMaybe (\x -> if x > 1 then Just (x * x) else Nothing) [1, 2, 3], catMaybes [Just 1, Nothing], isJust (Just 1), fromJust (Just 'c'), listToMaybe [1, 2], maybeToList (Just 3))
