sumSquares = sum . map (^ 2)
countWords = length . words
main = print (sumSquares [1, 2, 3], countWords "a b c", (length . filter even) [1 .. 10])
