compose = foldr (.) id
applyN n f = foldr (.) id (replicate n f)
curry3 f a b c = f (a, b, c)
main = print (compose [(+ 1), (* 2)] 5, applyN 3 (* 2) 1, curry3 (\(a, b, c) -> a + b + c) 1 2 3, map (uncurry (+)) [(1, 2)], flip (-) 1 2, zipWith3 (,,) [1] [2] [3], until (> 100) (* 2) 1)
