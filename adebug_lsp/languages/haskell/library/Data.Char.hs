module Data.Char where

isUpper, isLower, isAlpha, isLetter, isAlphaNum, isPunctuation, isSpace, isDigit, isHexDigit, isOctDigit :: Char -> Bool
isUpper c = primIsUpper c
isLower c = primIsLower c
isAlpha c = primIsAlpha c
isLetter c = primIsAlpha c
isAlphaNum c = primIsAlphaNum c
isPunctuation c = primIsPunctuation c
isSpace c = primIsSpace c
isDigit c = c >= '0' && c <= '9'
isHexDigit c = isDigit c || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')
isOctDigit c = c >= '0' && c <= '7'
isControl, isAscii, isAsciiUpper, isAsciiLower :: Char -> Bool
isControl c = c < ' ' || (c >= '\DEL' && c <= '\159')
isAscii c = c < '\128'
isAsciiUpper c = c >= 'A' && c <= 'Z'
isAsciiLower c = c >= 'a' && c <= 'z'
toUpper, toLower :: Char -> Char
toUpper c = primToUpper c
toLower c = primToLower c
ord :: Char -> Int
ord c = primOrd c
chr :: Int -> Char
chr n = primChr n
digitToInt :: Char -> Int
digitToInt c
  | isDigit c = ord c - ord '0'
  | c >= 'a' && c <= 'f' = ord c - ord 'a' + 10
  | c >= 'A' && c <= 'F' = ord c - ord 'A' + 10
  | otherwise = error ("Char.digitToInt: not a digit " ++ show c)
intToDigit :: Int -> Char
intToDigit n
  | n >= 0 && n <= 9 = chr (ord '0' + n)
  | n >= 10 && n <= 15 = chr (ord 'a' + n - 10)
  | otherwise = error ("Char.intToDigit: not a digit " ++ show n)
