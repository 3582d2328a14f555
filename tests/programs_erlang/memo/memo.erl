%% In how many ways a stair can be climbed; known numbers are kept in the process dictionary.
-module(memo).
-export([main/0]).

main() ->
    Short = ways(6, 2),
    Long = ways(6, 3),
    {Short, Long}.

ways(0, _) ->
    1;
ways(Steps, _) when Steps < 0 ->
    0;
ways(Steps, Stride) ->
    case get({ways, Steps}) of
        undefined ->
            Ways = lists:sum([ways(Steps - N, Stride) || N <- lists:seq(1, Stride)]),
            put({ways, Steps}, Ways),
            Ways;
        Known ->
            Known
    end.
