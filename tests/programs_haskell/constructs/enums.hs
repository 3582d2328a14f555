data Day = Mon | Tue | Wed | Thu deriving (Show, Eq, Ord, Enum, Bounded)
main = do
  print ([minBound .. maxBound :: Day], succ Mon, pred Wed, [Mon, Wed ..], fromEnum Thu, toEnum 2 :: Day)
  print [(d, fromEnum d) | d <- [Tue ..]]
