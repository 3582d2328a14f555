-- Validates a form: Either for one check, a list for all problems.
module Main where

import Data.Char (isAlpha, isDigit)
import Data.Maybe (mapMaybe)

data Form = Form {name :: String, password :: String, age :: Maybe Int}

data Problem = EmptyName | WeakPassword String | TooYoung Int | NoAge
  deriving (Show, Eq)

type Check = Form -> Maybe Problem

checkName :: Check
checkName form
  | null (name form) || not (all isAlpha (name form)) = Just EmptyName
  | otherwise = Nothing

checkPassword :: Check
checkPassword form
  | length (password form) < 8 = Just (WeakPassword "too short")
  | not (any isDigit (password form)) = Just (WeakPassword "no digit")
  | otherwise = Nothing

checkAge :: Check
checkAge form = case age form of
  Nothing -> Just NoAge
  Just years
    | years < 16 -> Just (TooYoung years)
    | otherwise -> Nothing

validate :: [Check] -> Form -> Either [Problem] Form
validate checks form = case mapMaybe ($ form) checks of
  [] -> Right form
  problems -> Left problems

describe :: Either [Problem] Form -> String
describe (Left problems) = "rejected: " ++ show problems
describe (Right form) = "welcome, " ++ name form

main :: IO ()
main = mapM_ (putStrLn . describe . validate [checkName, checkPassword, checkAge]) forms
  where
    forms =
      [ Form "ann" "correct1horse" (Just 30)
      , Form "bartholomew" "short1" (Just 12)
      , Form "" "long enough 1" Nothing
      ]
