-- A small compiler: lambda terms are read, translated to combinators, and reduced.
module Main where

import Data.Char (isAlpha, isSpace)

data Term = Name Char | Apply Term Term | Lambda Char Term deriving (Show, Eq)

data Comb = S | K | I | Free Char | Comb :@ Comb deriving (Show, Eq)

infixl 9 :@

data Compiled = Compiled { source :: Term, code :: Comb, size :: Int, listing :: [String] } deriving Show

parse :: String -> Term
parse text = case term (filter (not . isSpace) text) of
  (found, "") -> found
  (_, rest) -> error ("unexpected " ++ rest)

term :: String -> (Term, String)
term ('\\':x:'.':rest) = let (body, left) = term rest in (Lambda x body, left)
term text = let (first, left) = atom text in applied first left

applied :: Term -> String -> (Term, String)
applied f text@(c:_)
  | c == '(' || isAlpha c = let (x, left) = atom text in applied (Apply f x) left
applied f text = (f, text)

atom :: String -> (Term, String)
atom ('(':rest) = case term rest of
  (inner, ')':left) -> (inner, left)
  _ -> error "a parenthesis is not closed"
atom (c:rest)
  | isAlpha c = (Name c, rest)
atom text = error ("no term in " ++ show text)

translate :: Term -> Comb
translate (Name x) = Free x
translate (Apply f x) = translate f :@ translate x
translate (Lambda x body) = abstract x (translate body)

abstract :: Char -> Comb -> Comb
abstract x (Free y)
  | x == y = I
abstract x comb
  | not (x `occursIn` comb) = K :@ comb
abstract x (f :@ g) = S :@ abstract x f :@ abstract x g
abstract _ comb = K :@ comb

occursIn :: Char -> Comb -> Bool
occursIn x (Free y) = x == y
occursIn x (f :@ g) = occursIn x f || occursIn x g
occursIn _ _ = False

reduce :: Comb -> Comb
reduce (I :@ x) = reduce x
reduce (K :@ x :@ _) = reduce x
reduce (S :@ f :@ g :@ x) = reduce (f :@ x :@ (g :@ x))
reduce (f :@ x)
  | f' /= f = reduce (f' :@ x)
  | otherwise = f :@ reduce x
  where f' = reduce f
reduce comb = comb

count :: Comb -> Int
count (f :@ x) = count f + count x
count _ = 1

pretty :: Comb -> String
pretty (f :@ x) = pretty f ++ inner x
  where inner y@(_ :@ _) = "(" ++ pretty y ++ ")"
        inner y = pretty y
pretty (Free x) = [x]
pretty comb = show comb

compile :: String -> Compiled
compile text = Compiled parsed made (count made) [text, pretty made]
  where
    parsed = parse text
    made = translate parsed

main :: IO ()
main = do
  let compiled = compile "\\x.\\y.y x"
  mapM_ putStrLn (listing compiled)
  print (size compiled)
  putStrLn (pretty (reduce (code compiled :@ Free 'a' :@ Free 'b')))
