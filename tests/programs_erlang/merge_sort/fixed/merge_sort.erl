%% Merge sort.
-module(merge_sort).
-export([main/0]).

main() ->
    [sort([]), sort([3]), sort([5, 2, 8, 1, 9, 3])].

sort([]) ->
    [];
sort([One]) ->
    [One];
sort(List) ->
    {Front, Back} = lists:split(length(List) div 2, List),
    merge(sort(Front), sort(Back)).

merge([], Right) ->
    Right;
merge(Left, []) ->
    Left;
merge([L | Left], [R | Right]) when L =< R ->
    [L | merge(Left, [R | Right])];
merge([L | Left], [R | Right]) ->
    [R | merge([L | Left], Right)].
