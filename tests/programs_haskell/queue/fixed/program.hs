-- A queue of two lists, and a simulation of a counter where customers wait.
module Main where

data Queue a = Queue [a] [a]

emptyQueue :: Queue a
emptyQueue = Queue [] []

push :: a -> Queue a -> Queue a
push x (Queue front back) = Queue front (x : back)

pop :: Queue a -> Maybe (a, Queue a)
pop (Queue [] []) = Nothing
pop (Queue [] back) = pop (Queue (reverse back) [])
pop (Queue (x : front) back) = Just (x, Queue front back)

data Event = Arrives String | Served
  deriving (Show)

simulate :: [Event] -> [String]
simulate = go emptyQueue
  where
    go _ [] = []
    go queue (Arrives name : events) = go (push name queue) events
    go queue (Served : events) = case pop queue of
      Nothing -> "nobody" : go queue events
      Just (name, queue') -> name : go queue' events

drain :: Queue a -> [a]
drain queue = maybe [] (\(x, rest) -> x : drain rest) (pop queue)

main :: IO ()
main = do
  let day = [Arrives "ann", Arrives "bob", Served, Arrives "cid", Served, Served, Served]
  mapM_ putStrLn (simulate day)
  print (drain (foldr push emptyQueue [1 .. 5 :: Int]))
