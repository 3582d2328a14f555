sign n = if n < 0 then -1 else if n > 0 then 1 else 0
main = do
  print (map sign [-5, 0, 5])
  if sign 3 == 1
    then putStrLn "positive"
    else putStrLn "not"
  print $ 1 + if True then 2 else 3
