-- Days between dates and days of the week.
module Main where

data Date = Date {year :: Int, month :: Int, day :: Int}
  deriving (Eq, Ord, Show)

data Weekday = Monday | Tuesday | Wednesday | Thursday | Friday | Saturday | Sunday
  deriving (Eq, Show, Enum, Bounded)

isLeap :: Int -> Bool
isLeap y = y `mod` 4 == 0 && (y `mod` 100 /= 0 || y `mod` 400 == 0)

monthLength :: Int -> Int -> Int
monthLength y m
  | m == 2 = if isLeap y then 29 else 28
  | m `elem` [4, 6, 9, 11] = 30
  | otherwise = 31

yearLength :: Int -> Int
yearLength y = if isLeap y then 366 else 365

-- Days since the first of January 1900, which was a Monday.
serial :: Date -> Int
serial date = years + months + day date - 1
  where
    years = sum (map yearLength [1900 .. year date - 1])
    months = sum [monthLength (year date) m | m <- [1 .. month date - 1]]

weekday :: Date -> Weekday
weekday date = toEnum (serial date `mod` 7)

between :: Date -> Date -> Int
between a b = abs (serial a - serial b)

main :: IO ()
main = do
  print (weekday (Date 1900 3 1))
  print (weekday (Date 1999 12 31))
  print (between (Date 1904 2 28) (Date 1904 3 1))
  print (monthLength 2000 2)
