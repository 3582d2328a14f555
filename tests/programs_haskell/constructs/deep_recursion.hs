main = print (foldr (+) 0 [1 .. 100000], length (show (product [1 .. 200])))
