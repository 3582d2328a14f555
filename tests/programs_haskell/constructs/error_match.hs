g (Just x) = x
main = print (g (Just 1)) >> print (g (Nothing :: Maybe Int))
