x = 1
f x = let x' = x + 1; g x = x * 2 in (x, x', g x')
main = print (x, f 10, [x | x <- [x, x + 1]], case x of { x | x > 0 -> x; _ -> 0 })
