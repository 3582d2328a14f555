type Name = String
type Pair a = (a, a)
greet :: Name -> Pair Name -> Name
greet g (a, b) = g ++ " " ++ a ++ " and " ++ b
main = putStrLn (greet "hi" ("x", "y"))
