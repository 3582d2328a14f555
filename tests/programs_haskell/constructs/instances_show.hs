data C = C Int Int
instance Show C where
  showsPrec d (C a b) = showParen (d > 6) $ shows a . showString " +i " . shows b
main = print (C 1 2) >> print (Just (C 3 4)) >> print [C 0 (-1)]
