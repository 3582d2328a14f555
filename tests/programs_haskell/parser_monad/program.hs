-- A small parser monad, and a parser of nested lists of numbers.
module Main where

import Data.Char (isDigit, isSpace)

newtype Parser a = Parser {parse :: String -> Maybe (a, String)}

instance Functor Parser where
  fmap f (Parser p) = Parser $ \input -> case p input of
    Nothing -> Nothing
    Just (x, rest) -> Just (f x, rest)

instance Applicative Parser where
  pure x = Parser (\input -> Just (x, input))
  pf <*> px = pf >>= \f -> fmap f px

instance Monad Parser where
  Parser p >>= next = Parser $ \input -> case p input of
    Nothing -> Nothing
    Just (x, rest) -> parse (next x) rest

satisfy :: (Char -> Bool) -> Parser Char
satisfy ok = Parser $ \input -> case input of
  c : rest | ok c -> Just (c, rest)
  _ -> Nothing

orElse :: Parser a -> Parser a -> Parser a
orElse (Parser p) (Parser q) = Parser (\input -> maybe (q input) Just (p input))

many' :: Parser a -> Parser [a]
many' p = many1 p `orElse` pure []

many1 :: Parser a -> Parser [a]
many1 p = p >>= \x -> (\xs -> x : xs) <$> many' p

token :: Parser a -> Parser a
token p = p >>= \x -> many' (satisfy isSpace) >> return x

symbol :: Char -> Parser Char
symbol c = token (satisfy (== c))

data Nested = Number Int | List [Nested]
  deriving (Show)

nested :: Parser Nested
nested = number `orElse` list
  where
    number = Number . read <$> token (many1 (satisfy isDigit))
    list = do
      _ <- symbol '['
      items <- many' nested
      _ <- symbol ']'
      return (List items)

total :: Nested -> Int
total (Number n) = n
total (List items) = maximum (map total items)

main :: IO ()
main = do
  print (fmap fst (parse nested "[12 [3 4] 5]"))
  print (fmap (total . fst) (parse nested "[12 [3 4] 5]"))
