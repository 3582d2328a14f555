%% Chances in percent of independent events.
-module(odds).
-export([main/0]).

main() ->
    {all_of([50, 50]), none_of([50, 20]), any_of([50, 20])}.

all_of(Chances) ->
    lists:foldl(fun(Chance, All) -> All * Chance div 100 end, 100, Chances).

none_of(Chances) ->
    all_of([100 - Chance || Chance <- Chances]).

any_of(Chances) ->
    100 - none_of(Chances).
