infixr 5 :|
infixl 6 :+:
data NonEmpty a = a :| [a] deriving (Show, Eq)
data E = N Int | E :+: E | E :*: E deriving Show
eval (N n) = n
eval (a :+: b) = eval a + eval b
eval (a :*: b) = eval a * eval b
main = print (1 :| [2, 3], N 1 :+: N 2 :+: N (-3), eval (N 2 :*: (N 3 :+: N 4)), Just (1 :| []))
