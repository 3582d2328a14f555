module Prelude where

infixr 9 .
infixr 8 ^, ^^, **
infixl 7 *, /, `quot`, `rem`, `div`, `mod`
infixl 6 +, -
infixr 5 :
infixr 5 ++
infix 4 ==, /=, <, <=, >=, >, `elem`, `notElem`
infixl 4 <$>, <$, <*>, *>, <*
infixr 6 <>
infixr 3 &&
infixr 2 ||
infixl 1 >>, >>=
infixr 1 =<<
infixr 0 $, $!, `seq`
infixl 9 !!
infixl 0 `primThenCompare`

data Bool = False | True
data Ordering = LT | EQ | GT
data Maybe a = Nothing | Just a
data Either a b = Left a | Right b
data Int
data Integer
data Double
data Char
data IO a
type String = [Char]
type ShowS = String -> String
type FilePath = String
type Float = Double

primTag :: a -> Int
primSeq :: a -> b -> b
primError :: [Char] -> a
primIntAdd, primIntSub, primIntMul, primIntQuot, primIntRem, primIntDiv, primIntMod :: Int -> Int -> Int
primIntNegate :: Int -> Int
primIntEq, primIntNe, primIntLt, primIntLe, primIntGt, primIntGe :: Int -> Int -> Bool
primIntegerAdd, primIntegerSub, primIntegerMul, primIntegerQuot, primIntegerRem, primIntegerDiv, primIntegerMod :: Integer -> Integer -> Integer
primIntegerNegate :: Integer -> Integer
primIntegerEq, primIntegerNe, primIntegerLt, primIntegerLe, primIntegerGt, primIntegerGe :: Integer -> Integer -> Bool
primIntegerToInt :: Integer -> Int
primIntToInteger :: Int -> Integer
primDoubleAdd, primDoubleSub, primDoubleMul, primDoubleDiv, primDoublePow :: Double -> Double -> Double
primDoubleNegate, primDoubleExp, primDoubleLog, primDoubleSqrt, primDoubleSin, primDoubleCos, primDoubleTan :: Double -> Double
primDoubleAsin, primDoubleAcos, primDoubleAtan, primDoubleSinh, primDoubleCosh, primDoubleTanh :: Double -> Double
primDoubleEq, primDoubleNe, primDoubleLt, primDoubleLe, primDoubleGt, primDoubleGe :: Double -> Double -> Bool
primIntegerToDouble :: Integer -> Double
primDoubleTruncate, primDoubleFloor, primDoubleCeiling, primDoubleRound :: Double -> Integer
primDoubleIsNaN, primDoubleIsInfinite :: Double -> Bool
primDoubleAtan2 :: Double -> Double -> Double
primCharEq, primCharNe, primCharLt, primCharLe, primCharGt, primCharGe :: Char -> Char -> Bool
primOrd :: Char -> Int
primChr :: Int -> Char
primShowInt :: Int -> String
primShowInteger :: Integer -> String
primShowDouble :: Double -> String
primShowChar :: Char -> String
primShowString :: String -> String
primReadInt :: String -> Int
primReadInteger :: String -> Integer
primReadDouble :: String -> Double
primReturnIO :: a -> IO a
primBindIO :: IO a -> (a -> IO b) -> IO b
primThenIO :: IO a -> IO b -> IO b
primPutStr :: String -> IO ()
primGetLine :: IO String
primGetContents :: IO String
primIsEOF :: IO Bool
primExit :: Int -> IO a
primUserError :: String -> IO a
primIsUpper, primIsLower, primIsAlpha, primIsAlphaNum, primIsPunctuation, primIsSpace :: Char -> Bool
primToUpper, primToLower :: Char -> Char

class Eq a where
  (==), (/=) :: a -> a -> Bool
  x == y = not (x /= y)
  x /= y = not (x == y)

class Eq a => Ord a where
  compare :: a -> a -> Ordering
  (<), (<=), (>), (>=) :: a -> a -> Bool
  max, min :: a -> a -> a
  compare x y = if x == y then EQ else if x <= y then LT else GT
  x < y = case compare x y of { LT -> True; _ -> False }
  x <= y = case compare x y of { GT -> False; _ -> True }
  x > y = case compare x y of { GT -> True; _ -> False }
  x >= y = case compare x y of { LT -> False; _ -> True }
  max x y = if x <= y then y else x
  min x y = if x <= y then x else y

class Show a where
  showsPrec :: Int -> a -> ShowS
  show :: a -> String
  showList :: [a] -> ShowS
  showsPrec _ x s = show x ++ s
  show x = showsPrec 0 x ""
  showList ls s = primShowList shows ls s

class Read a where
  primRead :: String -> a

class Bounded a where
  minBound, maxBound :: a

class Enum a where
  succ, pred :: a -> a
  toEnum :: Int -> a
  fromEnum :: a -> Int
  enumFrom :: a -> [a]
  enumFromThen :: a -> a -> [a]
  enumFromTo :: a -> a -> [a]
  enumFromThenTo :: a -> a -> a -> [a]
  succ x = toEnum (fromEnum x + 1)
  pred x = toEnum (fromEnum x - 1)
  enumFrom x = map toEnum (enumFrom (fromEnum x))
  enumFromThen x y = map toEnum (enumFromThen (fromEnum x) (fromEnum y))
  enumFromTo x y = map toEnum (enumFromTo (fromEnum x) (fromEnum y))
  enumFromThenTo x y z = map toEnum (enumFromThenTo (fromEnum x) (fromEnum y) (fromEnum z))

class Num a where
  (+), (-), (*) :: a -> a -> a
  negate, abs, signum :: a -> a
  fromInteger :: Integer -> a
  x - y = x + negate y
  negate x = fromInteger 0 - x

class (Num a, Ord a) => Real a where
  primToDouble :: a -> Double

class (Real a, Enum a) => Integral a where
  quot, rem, div, mod :: a -> a -> a
  quotRem, divMod :: a -> a -> (a, a)
  toInteger :: a -> Integer
  quotRem x y = (quot x y, rem x y)
  divMod x y = (div x y, mod x y)

class Num a => Fractional a where
  (/) :: a -> a -> a
  recip :: a -> a
  primFromDouble :: Double -> a
  recip x = fromInteger 1 / x
  x / y = x * recip y

class Fractional a => Floating a where
  pi :: a
  exp, log, sqrt, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh :: a -> a
  (**), logBase :: a -> a -> a

class (Real a, Fractional a) => RealFrac a where
  truncate, round, ceiling, floor :: Integral b => a -> b
  properFraction :: Integral b => a -> (b, a)

class Semigroup a where
  (<>) :: a -> a -> a

class Semigroup a => Monoid a where
  mempty :: a
  mappend :: a -> a -> a
  mconcat :: [a] -> a
  mappend x y = x <> y
  mconcat xs = foldr mappend mempty xs

class Functor f where
  fmap :: (a -> b) -> f a -> f b
  (<$) :: a -> f b -> f a
  x <$ m = fmap (\_ -> x) m

class Functor f => Applicative f where
  pure :: a -> f a
  (<*>) :: f (a -> b) -> f a -> f b
  liftA2 :: (a -> b -> c) -> f a -> f b -> f c
  (*>) :: f a -> f b -> f b
  (<*) :: f a -> f b -> f a
  f <*> x = liftA2 id f x
  liftA2 f x y = fmap f x <*> y
  a *> b = (id <$ a) <*> b
  a <* b = liftA2 const a b

class Applicative m => Monad m where
  (>>=) :: m a -> (a -> m b) -> m b
  (>>) :: m a -> m b -> m b
  return :: a -> m a
  m >> k = m >>= \_ -> k
  return x = pure x

class Monad m => MonadFail m where
  fail :: String -> m a

class Foldable t where
  foldr :: (a -> b -> b) -> b -> t a -> b
  foldMap :: Monoid m => (a -> m) -> t a -> m
  foldl :: (b -> a -> b) -> b -> t a -> b
  foldr1 :: (a -> a -> a) -> t a -> a
  foldl1 :: (a -> a -> a) -> t a -> a
  toList :: t a -> [a]
  null :: t a -> Bool
  length :: t a -> Int
  elem :: Eq a => a -> t a -> Bool
  sum :: Num a => t a -> a
  product :: Num a => t a -> a
  maximum :: Ord a => t a -> a
  minimum :: Ord a => t a -> a
  foldr f z t = primListFoldr f z (foldMap (\x -> [x]) t)
  foldMap f t = foldr (\x acc -> f x <> acc) mempty t
  foldl f z t = primListFoldl f z (toList t)
  foldr1 f t = primListFoldr1 f (toList t)
  foldl1 f t = primListFoldl1 f (toList t)
  toList t = foldr (:) [] t
  null t = foldr (\_ _ -> False) True t
  length t = primListLength (toList t) 0
  elem x t = primListElem x (toList t)
  sum t = primListSum (toList t) (fromInteger 0)
  product t = primListProduct (toList t) (fromInteger 1)
  maximum t = primListFoldl1 max (toList t)
  minimum t = primListFoldl1 min (toList t)

class (Functor t, Foldable t) => Traversable t where
  traverse :: Applicative f => (a -> f b) -> t a -> f (t b)
  sequenceA :: Applicative f => t (f a) -> f (t a)
  mapM :: Monad m => (a -> m b) -> t a -> m (t b)
  sequence :: Monad m => t (m a) -> m (t a)
  traverse f t = sequenceA (fmap f t)
  sequenceA t = traverse id t
  mapM f t = traverse f t
  sequence t = sequenceA t

-- Instances of the basic types

instance Eq Int where
  (==) = primIntEq
  (/=) = primIntNe
instance Eq Integer where
  (==) = primIntegerEq
  (/=) = primIntegerNe
instance Eq Double where
  (==) = primDoubleEq
  (/=) = primDoubleNe
instance Eq Char where
  (==) = primCharEq
  (/=) = primCharNe
instance Ord Int where
  compare x y = if primIntLt x y then LT else if primIntEq x y then EQ else GT
  (<) = primIntLt
  (<=) = primIntLe
  (>) = primIntGt
  (>=) = primIntGe
instance Ord Integer where
  compare x y = if primIntegerLt x y then LT else if primIntegerEq x y then EQ else GT
  (<) = primIntegerLt
  (<=) = primIntegerLe
  (>) = primIntegerGt
  (>=) = primIntegerGe
instance Ord Double where
  compare x y = if primDoubleLt x y then LT else if primDoubleEq x y then EQ else GT
  (<) = primDoubleLt
  (<=) = primDoubleLe
  (>) = primDoubleGt
  (>=) = primDoubleGe
instance Ord Char where
  compare x y = if primCharLt x y then LT else if primCharEq x y then EQ else GT
  (<) = primCharLt
  (<=) = primCharLe
  (>) = primCharGt
  (>=) = primCharGe

instance Eq Bool where
  True == True = True
  False == False = True
  _ == _ = False
instance Ord Bool where
  compare x y = compare (primTag x) (primTag y)
instance Show Bool where
  show True = "True"
  show False = "False"
instance Enum Bool where
  fromEnum x = primTag x
  toEnum 0 = False
  toEnum 1 = True
  toEnum _ = error "toEnum: bad argument"
  enumFrom x = enumFromTo x True
  enumFromThen x y = enumFromThenTo x y (if x <= y then True else False)
instance Bounded Bool where
  minBound = False
  maxBound = True
instance Eq Ordering where
  x == y = primTag x == primTag y
instance Ord Ordering where
  compare x y = compare (primTag x) (primTag y)
instance Show Ordering where
  show LT = "LT"
  show EQ = "EQ"
  show GT = "GT"
instance Enum Ordering where
  fromEnum x = primTag x
  toEnum 0 = LT
  toEnum 1 = EQ
  toEnum _ = GT
  enumFrom x = enumFromTo x GT
instance Bounded Ordering where
  minBound = LT
  maxBound = GT
instance Eq () where
  _ == _ = True
instance Ord () where
  compare _ _ = EQ
instance Show () where
  show _ = "()"
instance Bounded () where
  minBound = ()
  maxBound = ()

instance Num Int where
  (+) = primIntAdd
  (-) = primIntSub
  (*) = primIntMul
  negate = primIntNegate
  abs x = if primIntLt x 0 then primIntNegate x else x
  signum x = if primIntLt x 0 then -1 else if primIntEq x 0 then 0 else 1
  fromInteger = primIntegerToInt
instance Num Integer where
  (+) = primIntegerAdd
  (-) = primIntegerSub
  (*) = primIntegerMul
  negate = primIntegerNegate
  abs x = if primIntegerLt x 0 then primIntegerNegate x else x
  signum x = if primIntegerLt x 0 then -1 else if primIntegerEq x 0 then 0 else 1
  fromInteger x = x
instance Num Double where
  (+) = primDoubleAdd
  (-) = primDoubleSub
  (*) = primDoubleMul
  negate = primDoubleNegate
  abs x = if primDoubleLt x 0 then primDoubleNegate x else x
  signum x = if primDoubleLt x 0 then -1 else if primDoubleEq x 0 then 0 else 1
  fromInteger = primIntegerToDouble
instance Real Int where
  primToDouble x = primIntegerToDouble (primIntToInteger x)
instance Real Integer where
  primToDouble = primIntegerToDouble
instance Real Double where
  primToDouble x = x
instance Integral Int where
  quot = primIntQuot
  rem = primIntRem
  div = primIntDiv
  mod = primIntMod
  toInteger = primIntToInteger
instance Integral Integer where
  quot = primIntegerQuot
  rem = primIntegerRem
  div = primIntegerDiv
  mod = primIntegerMod
  toInteger x = x
instance Fractional Double where
  (/) = primDoubleDiv
  primFromDouble x = x
instance Floating Double where
  pi = 3.141592653589793
  exp = primDoubleExp
  log = primDoubleLog
  sqrt = primDoubleSqrt
  sin = primDoubleSin
  cos = primDoubleCos
  tan = primDoubleTan
  asin = primDoubleAsin
  acos = primDoubleAcos
  atan = primDoubleAtan
  sinh = primDoubleSinh
  cosh = primDoubleCosh
  tanh = primDoubleTanh
  (**) = primDoublePow
  logBase b x = primDoubleDiv (primDoubleLog x) (primDoubleLog b)
instance RealFrac Double where
  truncate x = fromInteger (primDoubleTruncate x)
  round x = fromInteger (primDoubleRound x)
  ceiling x = fromInteger (primDoubleCeiling x)
  floor x = fromInteger (primDoubleFloor x)
  properFraction x = let n = primDoubleTruncate x in (fromInteger n, x - primIntegerToDouble n)

instance Enum Int where
  succ x = x + 1
  pred x = x - 1
  toEnum x = x
  fromEnum x = x
  enumFrom n = n : enumFrom (n + 1)
  enumFromTo n m = if n > m then [] else n : enumFromTo (n + 1) m
  enumFromThen n k = n : enumFromThen k (k + k - n)
  enumFromThenTo n k m
    | k >= n = if n > m then [] else n : enumFromThenTo k (k + k - n) m
    | otherwise = if n < m then [] else n : enumFromThenTo k (k + k - n) m
instance Enum Integer where
  succ x = x + 1
  pred x = x - 1
  toEnum x = primIntToInteger x
  fromEnum x = primIntegerToInt x
  enumFrom n = n : enumFrom (n + 1)
  enumFromTo n m = if n > m then [] else n : enumFromTo (n + 1) m
  enumFromThen n k = n : enumFromThen k (k + k - n)
  enumFromThenTo n k m
    | k >= n = if n > m then [] else n : enumFromThenTo k (k + k - n) m
    | otherwise = if n < m then [] else n : enumFromThenTo k (k + k - n) m
instance Enum Double where
  succ x = x + 1
  pred x = x - 1
  toEnum x = primIntegerToDouble (primIntToInteger x)
  fromEnum x = primIntegerToInt (primDoubleTruncate x)
  enumFrom n = n : enumFrom (n + 1)
  enumFromTo n m = takeWhile (<= m + 0.5) (enumFrom n)
  enumFromThen n k = iterate (+ (k - n)) n
  enumFromThenTo n k m
    | k >= n = takeWhile (<= m + (k - n) / 2) (enumFromThen n k)
    | otherwise = takeWhile (>= m + (k - n) / 2) (enumFromThen n k)
instance Enum Char where
  toEnum = primChr
  fromEnum = primOrd
  enumFrom c = map primChr (enumFromTo (primOrd c) 1114111)
  enumFromThen c d = map primChr (enumFromThenTo (primOrd c) (primOrd d) (if c <= d then 1114111 else 0))
instance Bounded Int where
  minBound = -9223372036854775808
  maxBound = 9223372036854775807
instance Bounded Char where
  minBound = '\0'
  maxBound = '\1114111'

instance Show Int where
  showsPrec d n s = if primIntLt n 0 && primIntGt d 6 then '(' : primShowInt n ++ (')' : s) else primShowInt n ++ s
  show n = primShowInt n
instance Show Integer where
  showsPrec d n s = if primIntegerLt n 0 && primIntGt d 6 then '(' : primShowInteger n ++ (')' : s) else primShowInteger n ++ s
  show n = primShowInteger n
instance Show Double where
  showsPrec d x s = if primDoubleLt x 0 && primIntGt d 6 then '(' : primShowDouble x ++ (')' : s) else primShowDouble x ++ s
  show x = primShowDouble x
instance Show Char where
  show c = primShowChar c
  showList cs s = primShowString cs ++ s
instance Show a => Show [a] where
  showsPrec _ xs s = showList xs s
instance Read Int where
  primRead = primReadInt
instance Read Integer where
  primRead = primReadInteger
instance Read Double where
  primRead = primReadDouble

-- Lists, tuples, Maybe, Either

instance Eq a => Eq [a] where
  [] == [] = True
  (x:xs) == (y:ys) = x == y && xs == ys
  _ == _ = False
instance Ord a => Ord [a] where
  compare [] [] = EQ
  compare [] _ = LT
  compare _ [] = GT
  compare (x:xs) (y:ys) = case compare x y of { EQ -> compare xs ys; other -> other }
instance Semigroup [a] where
  (<>) = (++)
instance Monoid [a] where
  mempty = []
instance Functor [] where
  fmap = map
instance Applicative [] where
  pure x = [x]
  fs <*> xs = concatMap (\f -> map f xs) fs
  liftA2 f xs ys = concatMap (\x -> map (f x) ys) xs
instance Monad [] where
  xs >>= f = concatMap f xs
instance MonadFail [] where
  fail _ = []
instance Foldable [] where
  foldr = primListFoldr
  foldMap f xs = mconcat (map f xs)
  toList xs = xs
  null [] = True
  null _ = False
instance Traversable [] where
  traverse f xs = primListFoldr (\x acc -> liftA2 (:) (f x) acc) (pure []) xs

instance (Eq a, Eq b) => Eq (a, b) where
  (a, b) == (c, d) = a == c && b == d
instance (Ord a, Ord b) => Ord (a, b) where
  compare (a, b) (c, d) = compare a c `primThenCompare` compare b d
instance (Show a, Show b) => Show (a, b) where
  showsPrec _ (a, b) s = '(' : shows a (',' : shows b (')' : s))
instance (Bounded a, Bounded b) => Bounded (a, b) where
  minBound = (minBound, minBound)
  maxBound = (maxBound, maxBound)
instance (Semigroup a, Semigroup b) => Semigroup (a, b) where
  (a, b) <> (c, d) = (a <> c, b <> d)
instance (Monoid a, Monoid b) => Monoid (a, b) where
  mempty = (mempty, mempty)
instance Functor ((,) a) where
  fmap f (a, b) = (a, f b)
instance (Eq a, Eq b, Eq c) => Eq (a, b, c) where
  (a, b, c) == (d, e, f) = a == d && b == e && c == f
instance (Ord a, Ord b, Ord c) => Ord (a, b, c) where
  compare (a, b, c) (d, e, f) = compare a d `primThenCompare` compare b e `primThenCompare` compare c f
instance (Show a, Show b, Show c) => Show (a, b, c) where
  showsPrec _ (a, b, c) s = '(' : shows a (',' : shows b (',' : shows c (')' : s)))
instance (Eq a, Eq b, Eq c, Eq d) => Eq (a, b, c, d) where
  (a, b, c, d) == (e, f, g, h) = a == e && b == f && c == g && d == h
instance (Ord a, Ord b, Ord c, Ord d) => Ord (a, b, c, d) where
  compare (a, b, c, d) (e, f, g, h) = compare a e `primThenCompare` compare b f `primThenCompare` compare c g `primThenCompare` compare d h
instance (Show a, Show b, Show c, Show d) => Show (a, b, c, d) where
  showsPrec _ (a, b, c, d) s = '(' : shows a (',' : shows b (',' : shows c (',' : shows d (')' : s))))

instance (Eq a0, Eq a1, Eq a2, Eq a3, Eq a4) => Eq (a0, a1, a2, a3, a4) where
  (a0, a1, a2, a3, a4) == (b0, b1, b2, b3, b4) = a0 == b0 && a1 == b1 && a2 == b2 && a3 == b3 && a4 == b4
instance (Ord a0, Ord a1, Ord a2, Ord a3, Ord a4) => Ord (a0, a1, a2, a3, a4) where
  compare (a0, a1, a2, a3, a4) (b0, b1, b2, b3, b4) = compare a0 b0 `primThenCompare` compare a1 b1 `primThenCompare` compare a2 b2 `primThenCompare` compare a3 b3 `primThenCompare` compare a4 b4
instance (Show a0, Show a1, Show a2, Show a3, Show a4) => Show (a0, a1, a2, a3, a4) where
  showsPrec _ (a0, a1, a2, a3, a4) s = '(' : shows a0 (',' : shows a1 (',' : shows a2 (',' : shows a3 (',' : shows a4 (')' : s)))))
instance (Eq a0, Eq a1, Eq a2, Eq a3, Eq a4, Eq a5) => Eq (a0, a1, a2, a3, a4, a5) where
  (a0, a1, a2, a3, a4, a5) == (b0, b1, b2, b3, b4, b5) = a0 == b0 && a1 == b1 && a2 == b2 && a3 == b3 && a4 == b4 && a5 == b5
instance (Ord a0, Ord a1, Ord a2, Ord a3, Ord a4, Ord a5) => Ord (a0, a1, a2, a3, a4, a5) where
  compare (a0, a1, a2, a3, a4, a5) (b0, b1, b2, b3, b4, b5) = compare a0 b0 `primThenCompare` compare a1 b1 `primThenCompare` compare a2 b2 `primThenCompare` compare a3 b3 `primThenCompare` compare a4 b4 `primThenCompare` compare a5 b5
instance (Show a0, Show a1, Show a2, Show a3, Show a4, Show a5) => Show (a0, a1, a2, a3, a4, a5) where
  showsPrec _ (a0, a1, a2, a3, a4, a5) s = '(' : shows a0 (',' : shows a1 (',' : shows a2 (',' : shows a3 (',' : shows a4 (',' : shows a5 (')' : s))))))
instance (Eq a0, Eq a1, Eq a2, Eq a3, Eq a4, Eq a5, Eq a6) => Eq (a0, a1, a2, a3, a4, a5, a6) where
  (a0, a1, a2, a3, a4, a5, a6) == (b0, b1, b2, b3, b4, b5, b6) = a0 == b0 && a1 == b1 && a2 == b2 && a3 == b3 && a4 == b4 && a5 == b5 && a6 == b6
instance (Ord a0, Ord a1, Ord a2, Ord a3, Ord a4, Ord a5, Ord a6) => Ord (a0, a1, a2, a3, a4, a5, a6) where
  compare (a0, a1, a2, a3, a4, a5, a6) (b0, b1, b2, b3, b4, b5, b6) = compare a0 b0 `primThenCompare` compare a1 b1 `primThenCompare` compare a2 b2 `primThenCompare` compare a3 b3 `primThenCompare` compare a4 b4 `primThenCompare` compare a5 b5 `primThenCompare` compare a6 b6
instance (Show a0, Show a1, Show a2, Show a3, Show a4, Show a5, Show a6) => Show (a0, a1, a2, a3, a4, a5, a6) where
  showsPrec _ (a0, a1, a2, a3, a4, a5, a6) s = '(' : shows a0 (',' : shows a1 (',' : shows a2 (',' : shows a3 (',' : shows a4 (',' : shows a5 (',' : shows a6 (')' : s)))))))

instance Eq a => Eq (Maybe a) where
  Nothing == Nothing = True
  Just x == Just y = x == y
  _ == _ = False
instance Ord a => Ord (Maybe a) where
  compare (Just x) (Just y) = compare x y
  compare x y = compare (primTag x) (primTag y)
instance Show a => Show (Maybe a) where
  showsPrec _ Nothing s = "Nothing" ++ s
  showsPrec d (Just x) s = showParen (d >= 11) (showString "Just " . showsPrec 11 x) s
instance Semigroup a => Semigroup (Maybe a) where
  Nothing <> y = y
  x <> Nothing = x
  Just x <> Just y = Just (x <> y)
instance Semigroup a => Monoid (Maybe a) where
  mempty = Nothing
instance Functor Maybe where
  fmap _ Nothing = Nothing
  fmap f (Just x) = Just (f x)
instance Applicative Maybe where
  pure = Just
  Just f <*> m = fmap f m
  Nothing <*> _ = Nothing
instance Monad Maybe where
  Nothing >>= _ = Nothing
  Just x >>= f = f x
instance MonadFail Maybe where
  fail _ = Nothing
instance Foldable Maybe where
  foldr _ z Nothing = z
  foldr f z (Just x) = f x z
instance Traversable Maybe where
  traverse _ Nothing = pure Nothing
  traverse f (Just x) = fmap Just (f x)

instance (Eq a, Eq b) => Eq (Either a b) where
  Left x == Left y = x == y
  Right x == Right y = x == y
  _ == _ = False
instance (Ord a, Ord b) => Ord (Either a b) where
  compare (Left x) (Left y) = compare x y
  compare (Right x) (Right y) = compare x y
  compare x y = compare (primTag x) (primTag y)
instance (Show a, Show b) => Show (Either a b) where
  showsPrec d (Left x) s = showParen (d >= 11) (showString "Left " . showsPrec 11 x) s
  showsPrec d (Right x) s = showParen (d >= 11) (showString "Right " . showsPrec 11 x) s
instance Functor (Either a) where
  fmap _ (Left x) = Left x
  fmap f (Right x) = Right (f x)
instance Applicative (Either a) where
  pure = Right
  Left e <*> _ = Left e
  Right f <*> r = fmap f r
instance Monad (Either a) where
  Left e >>= _ = Left e
  Right x >>= f = f x
instance Foldable (Either a) where
  foldr _ z (Left _) = z
  foldr f z (Right x) = f x z

instance Functor ((->) r) where
  fmap f g x = f (g x)
instance Applicative ((->) r) where
  pure x _ = x
  (<*>) f g x = f x (g x)
instance Monad ((->) r) where
  (>>=) f k r = k (f r) r
instance Semigroup b => Semigroup (a -> b) where
  (<>) f g x = f x <> g x
instance Semigroup Ordering where
  LT <> _ = LT
  EQ <> y = y
  GT <> _ = GT
instance Monoid Ordering where
  mempty = EQ

instance Functor IO where
  fmap f m = m >>= \x -> return (f x)
instance Applicative IO where
  pure = primReturnIO
  f <*> m = f >>= \g -> m >>= \x -> return (g x)
  liftA2 f a b = a >>= \x -> b >>= \y -> return (f x y)
  (*>) = primThenIO
instance Monad IO where
  (>>=) = primBindIO
  (>>) = primThenIO
  return = primReturnIO
instance MonadFail IO where
  fail = primUserError

-- Functions

primThenCompare :: Ordering -> Ordering -> Ordering
primThenCompare EQ y = y
primThenCompare x _ = x

primShowList :: (a -> ShowS) -> [a] -> ShowS
primShowList _ [] s = "[]" ++ s
primShowList f (x:xs) s = '[' : f x (rest xs)
  where rest [] = ']' : s
        rest (y:ys) = ',' : f y (rest ys)

primListFoldr :: (a -> b -> b) -> b -> [a] -> b
primListFoldr f z = go
  where go [] = z
        go (x:xs) = f x (go xs)
primListFoldl :: (b -> a -> b) -> b -> [a] -> b
primListFoldl _ z [] = z
primListFoldl f z (x:xs) = primListFoldl f (f z x) xs
primListFoldr1 :: (a -> a -> a) -> [a] -> a
primListFoldr1 _ [x] = x
primListFoldr1 f (x:xs) = f x (primListFoldr1 f xs)
primListFoldr1 _ [] = error "Prelude.foldr1: empty list"
primListFoldl1 :: (a -> a -> a) -> [a] -> a
primListFoldl1 f (x:xs) = primListFoldl f x xs
primListFoldl1 _ [] = error "Prelude.foldl1: empty list"
primListLength :: [a] -> Int -> Int
primListLength [] n = n
primListLength (_:xs) !n = primListLength xs (n + 1)
primListElem :: Eq a => a -> [a] -> Bool
primListElem _ [] = False
primListElem x (y:ys) = x == y || primListElem x ys
primListSum :: Num a => [a] -> a -> a
primListSum [] !n = n
primListSum (x:xs) !n = primListSum xs (n + x)
primListProduct :: Num a => [a] -> a -> a
primListProduct [] !n = n
primListProduct (x:xs) !n = primListProduct xs (n * x)

id :: a -> a
id x = x
const :: a -> b -> a
const x _ = x
(.) :: (b -> c) -> (a -> b) -> a -> c
(.) f g x = f (g x)
flip :: (a -> b -> c) -> b -> a -> c
flip f x y = f y x
($) :: (a -> b) -> a -> b
f $ x = f x
($!) :: (a -> b) -> a -> b
f $! x = x `seq` f x
seq :: a -> b -> b
seq = primSeq
error :: [Char] -> a
error s = primError s
errorWithoutStackTrace :: [Char] -> a
errorWithoutStackTrace s = primError s
undefined :: a
undefined = error "Prelude.undefined"
asTypeOf :: a -> a -> a
asTypeOf = const
until :: (a -> Bool) -> (a -> a) -> a -> a
until p f x = if p x then x else until p f (f x)

(&&), (||) :: Bool -> Bool -> Bool
True && x = x
False && _ = False
True || _ = True
False || x = x
not :: Bool -> Bool
not True = False
not False = True
otherwise :: Bool
otherwise = True
bool :: a -> a -> Bool -> a
bool f t b = if b then t else f

fst :: (a, b) -> a
fst (x, _) = x
snd :: (a, b) -> b
snd (_, y) = y
curry :: ((a, b) -> c) -> a -> b -> c
curry f x y = f (x, y)
uncurry :: (a -> b -> c) -> (a, b) -> c
uncurry f p = f (fst p) (snd p)
maybe :: b -> (a -> b) -> Maybe a -> b
maybe n _ Nothing = n
maybe _ f (Just x) = f x
either :: (a -> c) -> (b -> c) -> Either a b -> c
either f _ (Left x) = f x
either _ g (Right y) = g y

subtract :: Num a => a -> a -> a
subtract x y = y - x
even, odd :: Integral a => a -> Bool
even n = n `rem` 2 == 0
odd n = n `rem` 2 /= 0
gcd, lcm :: Integral a => a -> a -> a
gcd x y = go (abs x) (abs y)
  where go a b = if b == 0 then a else go b (a `rem` b)
lcm x y = if x == 0 || y == 0 then 0 else abs ((x `quot` gcd x y) * y)
(^) :: (Num a, Integral b) => a -> b -> a
x ^ n
  | n < 0 = error "Negative exponent"
  | n == 0 = 1
  | even n = let h = x ^ (n `quot` 2) in h * h
  | otherwise = x * x ^ (n - 1)
(^^) :: (Fractional a, Integral b) => a -> b -> a
x ^^ n = if n >= 0 then x ^ n else recip (x ^ negate n)
fromIntegral :: (Integral a, Num b) => a -> b
fromIntegral x = fromInteger (toInteger x)
realToFrac :: (Real a, Fractional b) => a -> b
realToFrac x = primFromDouble (primToDouble x)
isNaN, isInfinite :: Double -> Bool
isNaN = primDoubleIsNaN
isInfinite = primDoubleIsInfinite
atan2 :: Double -> Double -> Double
atan2 = primDoubleAtan2

map :: (a -> b) -> [a] -> [b]
map _ [] = []
map f (x:xs) = f x : map f xs
(++) :: [a] -> [a] -> [a]
[] ++ ys = ys
(x:xs) ++ ys = x : (xs ++ ys)
filter :: (a -> Bool) -> [a] -> [a]
filter _ [] = []
filter p (x:xs) = if p x then x : filter p xs else filter p xs
concat :: Foldable t => t [a] -> [a]
concat xs = foldr (++) [] xs
concatMap :: Foldable t => (a -> [b]) -> t a -> [b]
concatMap f xs = foldr (\x acc -> f x ++ acc) [] xs
primConcatMap :: (a -> [b]) -> [a] -> [b]
primConcatMap _ [] = []
primConcatMap f (x:xs) = f x ++ primConcatMap f xs
head :: [a] -> a
head (x:_) = x
head [] = error "Prelude.head: empty list"
last :: [a] -> a
last [x] = x
last (_:xs) = last xs
last [] = error "Prelude.last: empty list"
tail :: [a] -> [a]
tail (_:xs) = xs
tail [] = error "Prelude.tail: empty list"
init :: [a] -> [a]
init [_] = []
init (x:xs) = x : init xs
init [] = error "Prelude.init: empty list"
(!!) :: [a] -> Int -> a
xs !! n | n < 0 = error "Prelude.!!: negative index"
        | otherwise = go xs n
  where go [] _ = error "Prelude.!!: index too large"
        go (y:ys) i = if i == 0 then y else go ys (i - 1)
reverse :: [a] -> [a]
reverse l = go l []
  where go [] a = a
        go (x:xs) a = go xs (x:a)
and, or :: Foldable t => t Bool -> Bool
and xs = foldr (&&) True xs
or xs = foldr (||) False xs
any, all :: Foldable t => (a -> Bool) -> t a -> Bool
any p xs = foldr (\x acc -> p x || acc) False xs
all p xs = foldr (\x acc -> p x && acc) True xs
notElem :: (Foldable t, Eq a) => a -> t a -> Bool
notElem x xs = not (elem x xs)
lookup :: Eq a => a -> [(a, b)] -> Maybe b
lookup _ [] = Nothing
lookup key ((x, y):rest) = if key == x then Just y else lookup key rest
scanl :: (b -> a -> b) -> b -> [a] -> [b]
scanl f q ls = q : (case ls of { [] -> []; x:xs -> scanl f (f q x) xs })
scanl1 :: (a -> a -> a) -> [a] -> [a]
scanl1 f (x:xs) = scanl f x xs
scanl1 _ [] = []
scanr :: (a -> b -> b) -> b -> [a] -> [b]
scanr _ q [] = [q]
scanr f q (x:xs) = case scanr f q xs of qs -> f x (head qs) : qs
scanr1 :: (a -> a -> a) -> [a] -> [a]
scanr1 _ [] = []
scanr1 _ [x] = [x]
scanr1 f (x:xs) = case scanr1 f xs of qs -> f x (head qs) : qs
iterate :: (a -> a) -> a -> [a]
iterate f x = x : iterate f (f x)
repeat :: a -> [a]
repeat x = xs where xs = x : xs
replicate :: Int -> a -> [a]
replicate n x = if n <= 0 then [] else x : replicate (n - 1) x
cycle :: [a] -> [a]
cycle [] = error "Prelude.cycle: empty list"
cycle xs = ys where ys = xs ++ ys
take, drop :: Int -> [a] -> [a]
take n xs = if n <= 0 then [] else case xs of { [] -> []; y:ys -> y : take (n - 1) ys }
drop n xs = if n <= 0 then xs else case xs of { [] -> []; _:ys -> drop (n - 1) ys }
splitAt :: Int -> [a] -> ([a], [a])
splitAt n xs = (take n xs, drop n xs)
takeWhile, dropWhile :: (a -> Bool) -> [a] -> [a]
takeWhile _ [] = []
takeWhile p (x:xs) = if p x then x : takeWhile p xs else []
dropWhile _ [] = []
dropWhile p xs@(x:rest) = if p x then dropWhile p rest else xs
span, break :: (a -> Bool) -> [a] -> ([a], [a])
span _ [] = ([], [])
span p xs@(x:rest) = if p x then let (ys, zs) = span p rest in (x:ys, zs) else ([], xs)
break p xs = span (not . p) xs
zip :: [a] -> [b] -> [(a, b)]
zip (a:as) (b:bs) = (a, b) : zip as bs
zip _ _ = []
zip3 :: [a] -> [b] -> [c] -> [(a, b, c)]
zip3 (a:as) (b:bs) (c:cs) = (a, b, c) : zip3 as bs cs
zip3 _ _ _ = []
zipWith :: (a -> b -> c) -> [a] -> [b] -> [c]
zipWith f (a:as) (b:bs) = f a b : zipWith f as bs
zipWith _ _ _ = []
zipWith3 :: (a -> b -> c -> d) -> [a] -> [b] -> [c] -> [d]
zipWith3 f (a:as) (b:bs) (c:cs) = f a b c : zipWith3 f as bs cs
zipWith3 _ _ _ _ = []
unzip :: [(a, b)] -> ([a], [b])
unzip xs = primListFoldr (\(a, b) ~(as, bs) -> (a:as, b:bs)) ([], []) xs
unzip3 :: [(a, b, c)] -> ([a], [b], [c])
unzip3 xs = primListFoldr (\(a, b, c) ~(as, bs, cs) -> (a:as, b:bs, c:cs)) ([], [], []) xs
lines, words :: String -> [String]
lines "" = []
lines s = let (l, rest) = break (== '\n') s in l : (case rest of { [] -> []; _:t -> lines t })
words s = case dropWhile primIsSpace s of
  "" -> []
  t -> let (w, rest) = break primIsSpace t in w : words rest
unlines, unwords :: [String] -> String
unlines ls = concatMap (++ "\n") ls
unwords [] = ""
unwords [w] = w
unwords (w:ws) = w ++ ' ' : unwords ws

shows :: Show a => a -> ShowS
shows x s = showsPrec 0 x s
showChar :: Char -> ShowS
showChar = (:)
showString :: String -> ShowS
showString = (++)
showParen :: Bool -> ShowS -> ShowS
showParen b p = if b then showChar '(' . p . showChar ')' else p
read :: Read a => String -> a
read s = primRead s

(<$>) :: Functor f => (a -> b) -> f a -> f b
f <$> x = fmap f x
(=<<) :: Monad m => (a -> m b) -> m a -> m b
f =<< m = m >>= f
mapM_ :: (Foldable t, Monad m) => (a -> m b) -> t a -> m ()
mapM_ f xs = foldr (\x k -> f x >> k) (return ()) xs
sequence_ :: (Foldable t, Monad m) => t (m a) -> m ()
sequence_ xs = foldr (\m k -> m >> k) (return ()) xs
traverse_ :: (Foldable t, Applicative f) => (a -> f b) -> t a -> f ()
traverse_ f xs = foldr (\x k -> f x *> k) (pure ()) xs

putStr, putStrLn :: String -> IO ()
putStr s = primPutStr s
putStrLn s = primPutStr (s ++ "\n")
putChar :: Char -> IO ()
putChar c = primPutStr [c]
print :: Show a => a -> IO ()
print x = putStrLn (show x)
getLine, getContents :: IO String
getLine = primGetLine
getContents = primGetContents
interact :: (String -> String) -> IO ()
interact f = primGetContents >>= \s -> primPutStr (f s)
readLn :: Read a => IO a
readLn = primGetLine >>= \s -> return (read s)
ioError :: String -> IO a
ioError = primUserError
userError :: String -> String
userError s = "user error (" ++ s ++ ")"
