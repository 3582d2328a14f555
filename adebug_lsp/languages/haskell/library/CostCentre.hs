module CostCentre where

scc :: String -> a -> a
scc _ e = e
