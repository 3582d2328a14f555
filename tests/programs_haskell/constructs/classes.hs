class Shape a where
  area :: a -> Double
  describe :: a -> String
  describe x = "area " ++ show (area x)
data Sq = Sq Double
data Ci = Ci Double
instance Shape Sq where
  area (Sq a) = a * a
instance Shape Ci where
  area (Ci r) = 3 * r * r
  describe c = "circle of " ++ show (area c)
main = putStrLn (describe (Sq 2)) >> putStrLn (describe (Ci 1))
