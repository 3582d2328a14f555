data P = P { name :: String, age :: Int } deriving (Show, Eq, Ord)
data Q = A { v :: Int } | B { v :: Int, w :: Maybe Int } deriving Show
older p = p { age = age p + 1 }
isBob P { name = "bob" } = True
isBob _ = False
main = do
  let p = P { name = "bob", age = 3 }
  print (p, older p, name p, isBob p, isBob (older p { name = "al" }))
  print (B { v = 1, w = Just (-2) }, v (A 4), (A 1) { v = 9 })
