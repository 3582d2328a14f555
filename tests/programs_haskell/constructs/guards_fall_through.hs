f x | x > 10 = "big"
f 5 = "five"
f x | even x = "even"
f _ = "other"
main = print (map f [11, 5, 4, 3])
