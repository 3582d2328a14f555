data Node = Node String [Node]
label (Node s _) = s
main = do
  let a = Node "a" [b, c]
      b = Node "b" [a]
      c = Node "c" [c, b]
      walk (Node s (n : _)) k = if k == 0 then s else s ++ walk n (k - 1)
      walk (Node s []) _ = s
  putStrLn (walk a 5)
  let xs = 1 : map (* 2) xs
  print (take 8 xs)
