%% What is new in OTP 28: generators that accept no element which does not match, and generators side by side.
-module(constructs_28).
-export([main/0]).
-export_type([metres/0]).
-nominal metres() :: integer().

main() ->
    {strict(), refused(), zipped(), too_short(), all_kinds(), filtered(), based()}.

strict() ->
    {[X || {ok, X} <:- id([{ok, 1}, {ok, 2}])], << <<X>> || <<X:8>> <:= id(<<1, 2>>) >>,
     lists:sort([{K, V} || K := V <:- id(#{a => 1, b => 2})]), #{X => Y || {X, Y} <:- [{1, 2}]}}.

refused() ->
    [outcome(fun() -> [X || {ok, X} <:- id([{ok, 1}, other])] end),
     outcome(fun() -> << <<X>> || <<X:8, 0:1>> <:= id(<<1, 2>>) >> end),
     outcome(fun() -> [K || {K} := _ <:- id(#{a => 1})] end)].

zipped() ->
    [{X, Y, double(Z)} || X <- [1, 2, 3] && Y <- id("abc") && <<Z>> <= <<7, 8, 9>>].

too_short() ->
    outcome(fun() -> [{X, Y} || X <- [1, 2] && Y <- id([1])] end).

all_kinds() ->
    {[{X, A, B} || {ok, X} <:- [{ok, 1}, {ok, 2}] && A := B <- id(#{a => x, b => y}), X > 0],
     << <<(X + Y)>> || X <- [1, 2] && <<Y>> <= <<3, 4>> >>, #{X => Y || X <- [a, b] && Y <- [1, 2]}}.

filtered() ->
    [{X, Y, Z} || Z <- [0, 1], {a, X} <- [{a, 1}, {b, 2}, {a, 3}] && Y <- [p, q, r], Z > 0].

based() -> {2.5, 16#1.8#e1, 2#0.101}.

outcome(Fun) ->
    try Fun() catch Class:Reason -> {Class, Reason} end.

double(X) -> 2 * X.

id(X) -> X.
