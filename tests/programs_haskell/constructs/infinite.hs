primes = sieve [2 ..] where sieve (p : xs) = p : sieve [x | x <- xs, x `mod` p /= 0]
fibs = 0 : 1 : zipWith (+) fibs (tail fibs)
hamming = 1 : merge (map (2 *) hamming) (merge (map (3 *) hamming) (map (5 *) hamming))
merge (x : xs) (y : ys)
  | x < y = x : merge xs (y : ys)
  | x > y = y : merge (x : xs) ys
  | otherwise = x : merge xs ys
main = print (take 10 primes, fibs !! 50, take 15 hamming, takeWhile (< 40) (cycle [1, 50]), take 3 (iterate (* 2) 1), take 2 (repeat 'z'))
