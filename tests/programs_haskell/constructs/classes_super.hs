class Show a => Pretty a where
  pretty :: a -> String
  pretty x = "<" ++ show x ++ ">"
class Pretty a => Fancy a where
  fancy :: a -> String
  fancy x = "**" ++ pretty x ++ "**"
instance Pretty Int
instance Fancy Int
instance Pretty a => Pretty [a] where
  pretty xs = concatMap pretty xs
instance (Pretty a, Pretty b) => Pretty (a, b)
instance Pretty Bool where pretty b = if b then "yes" else "no"
main = do
  putStrLn (fancy (3 :: Int))
  putStrLn (pretty [1, 2 :: Int])
  putStrLn (pretty (True, [False]))
