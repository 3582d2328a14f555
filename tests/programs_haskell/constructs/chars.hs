import Data.Char
main = do
  print ['a', '\n', '\'', '"', '\t', '\1234', '\DEL']
  print (map toUpper "hello", map ord "az", chr 65, digitToInt 'f', isDigit '5', isSpace ' ')
  print "quote \" backslash \\ tab \t unicode \1234\&5"
  putStrLn "plain \"text\""
