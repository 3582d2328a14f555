f ((x, y):(z, _):_) = x + y + z
f [(x, _)] = x
f _ = 0
g (Just (Left (a:_))) = a
g (Just (Right n)) = n
g _ = -1
main = print (f [(1,2),(3,4)], f [(7,8)], f [], g (Just (Left [5,6])), g (Just (Left [])), g Nothing)
