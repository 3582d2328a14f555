main = do
  print (fst (1, undefined), length [undefined, undefined], take 2 (1 : 2 : undefined))
  print (const 1 (error "never"), snd (error "a" `seq2` (1, 2)))
  let xs = [error "x", 5]
  print (xs !! 1)
  where seq2 _ b = b
