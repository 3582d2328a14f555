%% Counts words in a table of ets.
-module(word_count).
-export([main/0]).

main() ->
    Counts = counts(words("the cat and the dog and the bird")),
    most(Counts, 2).

words(Text) ->
    [list_to_atom(Word) || Word <- string:lexemes(Text, " ")].

counts(Words) ->
    Table = ets:new(words, [ordered_set, private]),
    [ets:update_counter(Table, Word, 1, {Word, 1}) || Word <- Words],
    Counts = ets:tab2list(Table),
    ets:delete(Table),
    Counts.

most(Counts, N) ->
    Sorted = lists:sort(fun({A, Na}, {B, Nb}) -> {-Na, A} =< {-Nb, B} end, Counts),
    lists:sublist(Sorted, N).
