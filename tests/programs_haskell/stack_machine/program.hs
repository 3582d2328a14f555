-- Compiles arithmetic to a stack machine and runs it; the stack is threaded through Either.
module Main where

data Expr = N Int | Add Expr Expr | Subtract Expr Expr | Times Expr Expr

data Instruction = Push Int | Plus | Sub | Mul | Dup
  deriving (Show, Eq)

compile :: Expr -> [Instruction]
compile (N n) = [Push n]
compile (Add a b) = compile a ++ compile b ++ [Plus]
compile (Subtract a b) = compile a ++ compile b ++ [Sub]
compile (Times a b) = compile a ++ compile b ++ [Mul]

step :: Instruction -> [Int] -> Either String [Int]
step (Push n) stack = Right (n : stack)
step Plus (y : x : rest) = Right (x + y : rest)
step Sub (y : x : rest) = Right (y - x : rest)
step Mul (y : x : rest) = Right (x * y : rest)
step Dup (x : rest) = Right (x : x : rest)
step instruction stack = Left ("cannot " ++ show instruction ++ " with " ++ show (length stack))

run :: [Instruction] -> Either String Int
run program = go program []
  where
    go [] [top] = Right top
    go [] stack = Left ("left on the stack: " ++ show stack)
    go (i : is) stack = case step i stack of
      Left problem -> Left problem
      Right stack' -> go is stack'

main :: IO ()
main = do
  print (run (compile (Add (N 2) (Times (N 3) (N 4)))))
  print (run (compile (Subtract (N 10) (Subtract (N 4) (N 1)))))
  print (run [Push 1, Plus])
  print (run [Push 7, Dup, Mul])
