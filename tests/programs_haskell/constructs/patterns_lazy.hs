lazyPair ~(a, b) = 1
swap ~(a, b) = (b, a)
main = do
  print (lazyPair undefined)
  print (fst (swap (1, 2)))
  let (x, y) = (3, 4)
      [p, q] = "pq"
  print (x + y, p, q)
  let ~(Just z) = Nothing :: Maybe Int
  putStrLn "not forced"
