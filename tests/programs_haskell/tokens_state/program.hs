-- Translates expressions to three-address code; the number of the next name is threaded through by hand.
module Main where

data Expr = Var String | Const Int | Op Char Expr Expr

data Code = Code {target :: String, source :: String}

fresh :: Int -> (String, Int)
fresh n = ("t" ++ show n, n)

translate :: Expr -> Int -> ([Code], String, Int)
translate (Var v) n = ([], v, n)
translate (Const k) n = ([], show k, n)
translate (Op op a b) n = (codeA ++ codeB ++ [Code name (left ++ [' ', op, ' '] ++ right)], name, next)
  where
    (codeA, left, n1) = translate a n
    (codeB, right, n2) = translate b n1
    (name, next) = fresh n2

render :: Code -> String
render code = target code ++ " = " ++ source code

depth :: Expr -> Int
depth (Op _ a b) = 1 + max (depth a) (depth b)
depth _ = 0

program :: Expr
program = Op '*' (Op '+' (Var "a") (Const 1)) (Op '-' (Var "b") (Op '/' (Var "c") (Const 2)))

main :: IO ()
main = do
  let (code, result, used) = translate program 0
  mapM_ (putStrLn . render) code
  putStrLn ("result in " ++ result ++ ", names: " ++ show used ++ ", depth " ++ show (depth program))
