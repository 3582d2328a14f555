infixl 6 |+|
infixr 5 +++
data V = V Int Int deriving (Show, Eq)
(|+|) :: V -> V -> V
V a b |+| V c d = V (a + c) (b + d)
(+++) :: [a] -> [a] -> [a]
xs +++ ys = foldr (:) ys xs
x `plus` y = x + y
main = print (V 1 2 |+| V 3 4 |+| V 0 1, [1] +++ [2] +++ [3], 3 `plus` 4, (`plus` 1) 2, (subtract 1 . (* 2)) 5)
