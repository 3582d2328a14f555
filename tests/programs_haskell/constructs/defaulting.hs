average xs = sum xs / fromIntegral (length xs)
main = print (average [1, 2, 3, 4], 2 ^ 3, 10 / 4, truncate (10 / 4), fromIntegral (length "abc") * 1.5, show 3 ++ show 2.5)
