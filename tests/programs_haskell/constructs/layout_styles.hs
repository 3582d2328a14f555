main = do { print 1; let { a = 1; b = 2 }; print (a + b)
          ; print 3 }
  >> mapM_ print
       [ x
       | x <- [1, 2]
       ]
  >> (let y = 5
          z = 6
      in print (y * z)) >> case 1 of 1 -> print "one"
                                     _ -> print "other"
