-- Polynomials as lists of coefficients, lowest first, with their own Num instance.
module Main where

import Data.List (intercalate)

newtype Poly = Poly [Int]
  deriving (Eq)

trim :: [Int] -> Poly
trim = Poly . reverse . dropWhile (== 0) . reverse

addLists :: [Int] -> [Int] -> [Int]
addLists (a : as) (b : bs) = (a + b) : addLists as bs
addLists as [] = as
addLists [] bs = bs

instance Num Poly where
  Poly a + Poly b = trim (addLists a b)
  Poly a * Poly b = trim (foldr (\x acc -> addLists (map (* x) b) (0 : acc)) [] a)
  negate (Poly a) = Poly (map negate a)
  abs p = p
  signum p = p
  fromInteger n = trim [fromInteger n]

evaluate :: Poly -> Int -> Int
evaluate (Poly coefficients) x = foldr (\c rest -> c + x * rest) 0 coefficients

derive :: Poly -> Poly
derive (Poly coefficients) = trim (zipWith (*) [1 ..] (tail coefficients))

render :: Poly -> String
render (Poly coefficients) = intercalate " + " (reverse [term c n | (c, n) <- zip coefficients [0 :: Int ..], c /= 0])
  where
    term c 0 = show c
    term c 1 = show c ++ "x"
    term c n = show c ++ "x^" ++ show n

x :: Poly
x = Poly [0, 1]

main :: IO ()
main = do
  let p = 3 * x * x + 2 * x + 5
  putStrLn (render p)
  putStrLn (render (derive p))
  print (evaluate p 2, evaluate (derive p) 2)
  print (p * p == p + p)
