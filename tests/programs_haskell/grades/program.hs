-- Marks of a course: parsing lines, averages, and what to do about missing ones.
module Main where

import Data.Char (isDigit)
import Data.Maybe (fromMaybe)

data Student = Student String [Maybe Int]

parseMark :: String -> Either String (Maybe Int)
parseMark "-" = Right Nothing
parseMark text
  | all isDigit text && mark <= 100 = Right (Just mark)
  | otherwise = Left ("not a mark: " ++ text)
  where
    mark = read text

parseStudent :: String -> Either String Student
parseStudent line = case words line of
  [] -> Left "an empty line"
  name : marks -> Student name <$> mapM parseMark marks

average :: Student -> Int
average (Student _ marks) = sum given `div` length given
  where
    given = map (fromMaybe 100) marks

grade :: Int -> Char
grade mark
  | mark >= 90 = 'A'
  | mark >= 75 = 'B'
  | mark >= 50 = 'C'
  | otherwise = 'F'

report :: String -> String
report line = case parseStudent line of
  Left problem -> "error: " ++ problem
  Right student@(Student name _) -> name ++ " " ++ [grade (average student)]

main :: IO ()
main = mapM_ (putStrLn . report) ["ann 95 92 88", "bob 70 - 80", "cid 60 abc", "dan 55 51 50", ""]
