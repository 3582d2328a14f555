import Data.Char
newtype Parser a = Parser { runParser :: String -> Maybe (a, String) }
instance Functor Parser where fmap f (Parser p) = Parser $ \s -> case p s of { Nothing -> Nothing; Just (a, r) -> Just (f a, r) }
instance Applicative Parser where
  pure a = Parser $ \s -> Just (a, s)
  Parser pf <*> pa = Parser $ \s -> case pf s of
    Nothing -> Nothing
    Just (f, r) -> runParser (fmap f pa) r
instance Monad Parser where
  Parser p >>= k = Parser $ \s -> case p s of
    Nothing -> Nothing
    Just (a, r) -> runParser (k a) r
char c = Parser f where
  f (x : xs) | x == c = Just (c, xs)
  f _ = Nothing
sat p = Parser f where
  f (x : xs) | p x = Just (x, xs)
  f _ = Nothing
orElse (Parser a) (Parser b) = Parser $ \s -> case a s of { Nothing -> b s; r -> r }
many1 p = do { x <- p; xs <- many0 p; return (x : xs) }
many0 p = many1 p `orElse` return []
number :: Parser Int
number = read <$> many1 (sat isDigit)
expr = do
  t <- term
  rest t
  where rest acc = (do { _ <- char '+'; t <- term; rest (acc + t) }) `orElse` return acc
term = do
  f <- factor
  rest f
  where rest acc = (do { _ <- char '*'; f <- factor; rest (acc * f) }) `orElse` return acc
factor = number `orElse` (char '(' *> expr <* char ')')
main = print (map (fmap fst . runParser expr) ["1+2*3", "(1+2)*3", "2*(3+4)*5", "x"])
