%% The median, and the values around it.
-module(median).
-export([main/0]).

main() ->
    {median([9, 1, 5]), median([4, 1, 3, 2]), around([7, 3, 9, 1, 5])}.

median(Values) ->
    Sorted = lists:sort(Values),
    Half = length(Values) div 2,
    case length(Values) rem 2 of
        0 -> (lists:nth(Half, Sorted) + lists:nth(Half + 1, Sorted)) / 2;
        1 -> lists:nth(Half + 1, Sorted)
    end.

around(Values) ->
    Middle = median(Values),
    {[V || V <- Values, V < Middle], [V || V <- Values, V > Middle]}.
