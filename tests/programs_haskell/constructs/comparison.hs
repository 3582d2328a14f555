main = do
  print (1 < 2, 'a' >= 'b', "abc" < "abd", [1,2] == [1,2,3], (1,'x') /= (1,'y'))
  print (compare 1 2, compare "b" "a", max 3 4, min "x" "y")
  print (maximum [3,1,2], minimum "hello", Just 1 < Nothing, Left 1 < Right 'a')
