%% Lengths of Collatz walks, with a named fun.
-module(collatz).
-export([main/0]).

main() ->
    {[steps(N) || N <- [1, 6, 3]], longest([2, 3, 8, 11])}.

steps(Start) ->
    Walk = fun
        Walk(1) -> 0;
        Walk(N) when N rem 2 =:= 0 -> 1 + Walk(N div 2);
        Walk(N) -> 1 + Walk(3 * N - 1)
    end,
    Walk(Start).

longest(Starts) ->
    {Steps, Start} = lists:max([{steps(Start), Start} || Start <- Starts]),
    {Start, Steps}.
