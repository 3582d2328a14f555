-- Accounts with transfers; the state of the bank goes from one action to the next.
module Main where

import qualified Data.Map as Map

type Bank = Map.Map String Int

newtype Action a = Action (Bank -> Either String (a, Bank))

runAction :: Action a -> Bank -> Either String (a, Bank)
runAction (Action f) = f

instance Functor Action where
  fmap f action = action >>= \x -> return (f x)

instance Applicative Action where
  pure x = Action (\bank -> Right (x, bank))
  af <*> ax = af >>= \f -> ax >>= \x -> return (f x)

instance Monad Action where
  Action f >>= next = Action $ \bank -> case f bank of
    Left problem -> Left problem
    Right (x, bank') -> runAction (next x) bank'

failed :: String -> Action a
failed problem = Action (\_ -> Left problem)

balance :: String -> Action Int
balance name = Action $ \bank -> case Map.lookup name bank of
  Nothing -> Left ("no account " ++ name)
  Just amount -> Right (amount, bank)

deposit :: String -> Int -> Action ()
deposit name amount = do
  old <- balance name
  Action (\bank -> Right ((), Map.insert name (old + amount) bank))

withdraw :: String -> Int -> Action ()
withdraw name amount = do
  old <- balance name
  if old < amount then failed (name ++ " has only " ++ show old) else deposit name (negate amount)

transfer :: String -> String -> Int -> Action ()
transfer from to amount = withdraw from amount >> deposit from amount

start :: Bank
start = Map.fromList [("ann", 100), ("bob", 20)]

main :: IO ()
main = do
  print (fmap (Map.toList . snd) (runAction (transfer "ann" "bob" 30) start))
  print (fmap fst (runAction (transfer "bob" "ann" 50) start))
