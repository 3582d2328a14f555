%% Quicksort with an order that is given as a fun.
-module(quicksort).
-export([main/0]).

main() ->
    Numbers = [4, 1, 4, 7, 2, 7],
    Words = [pear, fig, plum],
    {sort(fun(A, B) -> A < B end, Numbers), sort(by(fun size_of/1), Words)}.

by(Key) ->
    fun(A, B) -> Key(A) < Key(B) end.

size_of(Word) ->
    length(atom_to_list(Word)).

sort(_, []) ->
    [];
sort(Less, [Pivot | Rest]) ->
    Before = [X || X <- Rest, Less(X, Pivot)],
    After = [X || X <- Rest, Less(Pivot, X)],
    sort(Less, Before) ++ [Pivot] ++ sort(Less, After).
