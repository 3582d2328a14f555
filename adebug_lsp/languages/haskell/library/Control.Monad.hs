module Control.Monad (module Control.Monad, mapM, mapM_, sequence, sequence_, (=<<), Monad(..), Functor(..)) where

infixr 1 >=>, <=<

when, unless :: Applicative f => Bool -> f () -> f ()
when c a = if c then a else pure ()
unless c a = if c then pure () else a
forM :: (Traversable t, Monad m) => t a -> (a -> m b) -> m (t b)
forM xs f = mapM f xs
forM_ :: (Foldable t, Monad m) => t a -> (a -> m b) -> m ()
forM_ xs f = mapM_ f xs
replicateM :: Applicative m => Int -> m a -> m [a]
replicateM n m = if n <= 0 then pure [] else liftA2 (:) m (replicateM (n - 1) m)
replicateM_ :: Applicative m => Int -> m a -> m ()
replicateM_ n m = if n <= 0 then pure () else m *> replicateM_ (n - 1) m
foldM :: Monad m => (b -> a -> m b) -> b -> [a] -> m b
foldM _ z [] = return z
foldM f z (x:xs) = f z x >>= \z' -> foldM f z' xs
foldM_ :: Monad m => (b -> a -> m b) -> b -> [a] -> m ()
foldM_ f z xs = foldM f z xs >> return ()
zipWithM :: Applicative m => (a -> b -> m c) -> [a] -> [b] -> m [c]
zipWithM f xs ys = sequenceA (zipWith f xs ys)
zipWithM_ :: Monad m => (a -> b -> m c) -> [a] -> [b] -> m ()
zipWithM_ f xs ys = sequence_ (zipWith f xs ys)
filterM :: Applicative m => (a -> m Bool) -> [a] -> m [a]
filterM p xs = foldr (\x acc -> liftA2 (\keep ys -> if keep then x : ys else ys) (p x) acc) (pure []) xs
liftM :: Monad m => (a -> b) -> m a -> m b
liftM f m = m >>= \x -> return (f x)
liftM2 :: Monad m => (a -> b -> c) -> m a -> m b -> m c
liftM2 f a b = a >>= \x -> b >>= \y -> return (f x y)
ap :: Monad m => m (a -> b) -> m a -> m b
ap mf mx = mf >>= \f -> mx >>= \x -> return (f x)
join :: Monad m => m (m a) -> m a
join m = m >>= id
void :: Functor f => f a -> f ()
void m = fmap (const ()) m
forever :: Monad m => m a -> m b
forever a = a >> forever a
(>=>) :: Monad m => (a -> m b) -> (b -> m c) -> a -> m c
(>=>) f g x = f x >>= g
(<=<) :: Monad m => (b -> m c) -> (a -> m b) -> a -> m c
(<=<) g f x = f x >>= g
guard :: Bool -> [()]
guard True = [()]
guard False = []
