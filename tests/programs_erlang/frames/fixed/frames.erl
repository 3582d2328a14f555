%% Pictures with a border.
-module(frames).
-export([main/0]).

-define(BORDER, 2).
-define(OUTER(Width), (Width + ?BORDER)).

main() ->
    {area(10, 5), length_of_edge(10, 5), cost(area(10, 5))}.

area(Width, Height) ->
    ?OUTER(Width) * ?OUTER(Height).

length_of_edge(Width, Height) ->
    2 * (?OUTER(Width) + ?OUTER(Height)).

cost(Area) ->
    Area * 3.
