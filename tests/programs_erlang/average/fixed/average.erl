%% Mean and variance.
-module(average).
-export([main/0]).

main() ->
    Values = [1, 2, 3, 4],
    {mean(Values), variance(Values), mean([])}.

mean([]) ->
    undefined;
mean(Values) ->
    lists:sum(Values) / length(Values).

variance(Values) ->
    Mean = mean(Values),
    mean([square(Value - Mean) || Value <- Values]).

square(X) ->
    X * X.
