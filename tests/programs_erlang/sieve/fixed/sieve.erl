%% The prime numbers up to a limit.
-module(sieve).
-export([main/0]).

main() ->
    {primes(20), primes(25)}.

primes(Limit) ->
    sift(lists:seq(2, Limit), Limit, []).

sift([], _, Primes) ->
    lists:reverse(Primes);
sift([P | Numbers], Limit, Primes) when P * P =< Limit ->
    sift(cross_out(P, Numbers), Limit, [P | Primes]);
sift(Numbers, _, Primes) ->
    lists:reverse(Primes, Numbers).

cross_out(P, Numbers) ->
    [N || N <- Numbers, N rem P =/= 0].
