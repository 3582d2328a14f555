-- Unification of terms.
module Main where

data Term = V String | T String [Term]
  deriving (Eq)

type Substitution = [(String, Term)]

draw :: Term -> String
draw (V v) = v
draw (T f []) = f
draw (T f ts) = f ++ "(" ++ commas (map draw ts) ++ ")"

commas :: [String] -> String
commas [] = ""
commas [s] = s
commas (s : rest) = s ++ "," ++ commas rest

apply :: Substitution -> Term -> Term
apply s (V v) = case lookup v s of
  Just t -> apply s t
  Nothing -> V v
apply s (T f ts) = T f (map (apply s) ts)

occurs :: String -> Term -> Bool
occurs v (V w) = v == w
occurs v (T _ ts) = any (occurs v) ts

unify :: Term -> Term -> Substitution -> Maybe Substitution
unify (V v) (V w) s | v == w = Just s
unify (V v) t s = if occurs v t then Nothing else Just ((v, t) : s)
unify t (V v) s = unify (V v) t s
unify (T f as) (T g bs) s
  | f == g = unifyAll as bs s
  | otherwise = Nothing

unifyAll :: [Term] -> [Term] -> Substitution -> Maybe Substitution
unifyAll [] [] s = Just s
unifyAll (a : as) (c : cs) s = case unify (apply s a) (apply s c) s of
  Nothing -> Nothing
  Just s' -> later as cs s'
unifyAll _ _ _ = Nothing

later :: [Term] -> [Term] -> Substitution -> Maybe Substitution
later [] [] s' = Just s'
later (b : bs) (d : ds) s' = unify (apply s' b) (apply s' d) s' >>= later bs ds
later _ _ _ = Nothing

solve :: Term -> Term -> String
solve a b = maybe "no" (\s -> draw (apply s a)) (unify a b [])

main :: IO ()
main = do
  putStrLn (solve (T "f" [V "x", T "b" []]) (T "f" [T "a" [], V "y"]))
  putStrLn (solve (T "f" [V "x", V "x"]) (T "f" [T "a" [], T "b" []]))
  putStrLn (solve (T "g" [V "x", V "y", V "x"]) (T "g" [V "y", T "c" [], V "z"]))
