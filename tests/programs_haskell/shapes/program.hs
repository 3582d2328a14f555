-- Areas and perimeters of several shapes behind one class.
module Main where

class Shape a where
  area :: a -> Double
  perimeter :: a -> Double
  name :: a -> String
  name _ = "shape"

data Circle = Circle Double
data Rectangle = Rectangle Double Double
data Triangle = Triangle Double Double Double

instance Shape Circle where
  area (Circle r) = 3 * r * r
  perimeter (Circle r) = 6 * r
  name _ = "circle"

instance Shape Rectangle where
  area (Rectangle w h) = w * h
  perimeter (Rectangle w h) = w + h
  name (Rectangle w h)
    | w == h = "square"
    | otherwise = "rectangle"

instance Shape Triangle where
  area (Triangle a b c) = sqrt (s * (s - a) * (s - b) * (s - c))
    where
      s = (a + b + c) / 2
  perimeter (Triangle a b c) = a + b + c

report :: Shape a => a -> String
report shape = name shape ++ ": " ++ show (area shape) ++ " within " ++ show (perimeter shape)

compactness :: Shape a => a -> Double
compactness shape = area shape / perimeter shape

main :: IO ()
main = do
  putStrLn (report (Circle 2))
  putStrLn (report (Rectangle 4 2.5))
  putStrLn (report (Triangle 3 4 5))
  print (compactness (Rectangle 3 3) > compactness (Circle 1))
