import qualified Data.Map as M
look m k | Just v <- M.lookup k m, v > 1 = v
         | Just v <- M.lookup k m = -v
         | otherwise = 0
main = print (map (look (M.fromList [(1, 1), (2, 2)])) [1, 2, 3])
