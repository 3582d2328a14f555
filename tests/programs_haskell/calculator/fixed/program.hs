-- A calculator: text to tokens, tokens to a tree, the tree to a number.
module Main where

import Data.Char (isDigit, isSpace)

data Token = Number Int | Symbol Char
  deriving (Eq, Show)

data Expr = Lit Int | Bin Char Expr Expr
  deriving (Eq, Show)

tokens :: String -> [Token]
tokens [] = []
tokens (c : cs)
  | isSpace c = tokens cs
  | isDigit c = let (digits, rest) = span isDigit (c : cs) in Number (read digits) : tokens rest
  | otherwise = Symbol c : tokens cs

-- expression = term, then any number of + term or - term
expression :: [Token] -> (Expr, [Token])
expression ts = let (first, rest) = term ts in chain first rest

chain :: Expr -> [Token] -> (Expr, [Token])
chain left (Symbol op : rest)
  | op `elem` "+-" = let (right, rest') = term rest in chain (Bin op left right) rest'
chain left rest = (left, rest)

term :: [Token] -> (Expr, [Token])
term ts = let (first, rest) = factor ts in factors first rest

factors :: Expr -> [Token] -> (Expr, [Token])
factors left (Symbol op : rest)
  | op `elem` "*/" = let (right, rest') = factor rest in factors (Bin op left right) rest'
factors left rest = (left, rest)

factor :: [Token] -> (Expr, [Token])
factor (Number n : rest) = (Lit n, rest)
factor (Symbol '(' : rest) = case expression rest of
  (e, Symbol ')' : rest') -> (e, rest')
  _ -> error "expected )"
factor ts = error ("unexpected " ++ show (take 1 ts))

value :: Expr -> Int
value (Lit n) = n
value (Bin op a b) = apply op (value a) (value b)

apply :: Char -> Int -> Int -> Int
apply '+' = (+)
apply '-' = (-)
apply '*' = (*)
apply _ = div

calculate :: String -> Int
calculate = value . fst . expression . tokens

main :: IO ()
main = mapM_ (print . calculate) ["1 + 2 * 3", "10 - 3 - 2", "(4 + 6) / 5 * 2", "100 - 10 * (2 + 3)"]
