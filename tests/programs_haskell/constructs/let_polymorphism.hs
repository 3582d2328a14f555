main = do
  let pair x = (x, x)
      twice f = f . f
  print (pair 1, pair 'c', twice (+ 1) 5, twice ('a' :) "b")
  let y = 1; z = 2 in print (y + z)
