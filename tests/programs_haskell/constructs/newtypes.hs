newtype Wrap a = Wrap { unwrap :: a } deriving (Show, Eq, Ord)
newtype Age = Age Int deriving (Show, Eq, Ord)
f (Wrap _) = "lazy"
main = print (Wrap 3, unwrap (Wrap 'x'), Age 3 < Age 4) >> putStrLn (f undefined)
