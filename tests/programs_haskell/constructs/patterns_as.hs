dup all@(x:_) = x : all
dup [] = []
firstTwo s@[_, _] = Just s
firstTwo _ = Nothing
main = print (dup "abc", dup "", firstTwo [1,2], firstTwo [1,2,3])
