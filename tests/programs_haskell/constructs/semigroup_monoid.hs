newtype Max = Max Int deriving Show
instance Semigroup Max where Max a <> Max b = Max (max a b)
instance Monoid Max where mempty = Max minBound
main = print (mconcat (map Max [3, 9, 2]), [1] <> [2], mempty :: String, foldMap (\x -> [x, x]) [1, 2], compare 1 2 <> EQ)
