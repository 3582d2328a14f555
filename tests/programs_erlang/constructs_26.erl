%% What is new in OTP 26: comprehensions that make maps, and generators that go through them.
-module(constructs_26).
-export([main/0]).

main() ->
    Ages = id(#{ann => 31, bob => 7, carl => 64}),
    {made(Ages), through(Ages), mixed(Ages), nested(), no_map(), twice(Ages)}.

made(Ages) ->
    {#{Name => Age + 1 || Name := Age <- Ages, Age > 10}, #{X => X * X || X <- [1, 2, 3]}, #{X => a || <<X>> <= <<1, 2>>}}.

through(Ages) ->
    {lists:sort([Name || Name := _ <- Ages]), lists:sort([A || _ := A <- Ages, is_adult(A)]),
     << <<A>> || carl := A <- Ages >>, [A || x := A <- Ages]}.

mixed(Ages) ->
    lists:sort([{Name, X} || Name := Age <- Ages, Age > 20, X <- [Age, Age * 2], X rem 2 =:= 0]).

nested() ->
    #{X => #{Y => X * Y || Y <- lists:seq(1, X)} || X <- lists:seq(1, 3)}.

no_map() ->
    {try #{K => V || K := V <- id([a])} catch error:Reason -> Reason end,
     try [K || K := _ <- id(7)] catch error:Other -> Other end}.

twice(Ages) ->
    maps:from_list([{K, V} || K := V <- maps:iterator(Ages, ordered)]).

is_adult(Age) -> Age >= 18.

id(X) -> X.
