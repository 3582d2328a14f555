%% The digits of a number in some base.
-module(digits).
-export([main/0]).

main() ->
    [digits(0, 10), digits(1234, 10), digits(10, 2), number(digits(255, 16), 16)].

digits(0, _) ->
    [0];
digits(N, Base) ->
    digits(N, Base, []).

digits(0, _, Found) ->
    Found;
digits(N, Base, Found) ->
    digits(N div Base, Base, [N rem Base | Found]).

number(Digits, Base) ->
    lists:foldl(fun(Digit, N) -> N * Base + Digit end, 0, Digits).
