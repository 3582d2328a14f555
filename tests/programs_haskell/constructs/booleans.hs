xor a b = (a || b) && not (a && b)
main = do
  print [xor a b | a <- [False, True], b <- [False ..]]
  print (and [], or [], all even [2,4], any odd [2,4], True && undefined == False || True)
