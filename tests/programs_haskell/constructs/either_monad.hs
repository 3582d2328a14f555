parse :: String -> Either String Int
parse "" = Left "empty"
parse s | all (`elem` "0123456789") s = Right (read s)
        | otherwise = Left ("bad " ++ s)
both a b = do { x <- parse a; y <- parse b; Right (x + y) }
main = print (both "12" "30", both "x" "", both "1" "", either length negate (both "1" "2"))
