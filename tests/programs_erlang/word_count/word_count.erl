%% Counts words in a table of ets.
-module(word_count).
-export([main/0]).

main() ->
    Table = ets:new(words, [set, private]),
    [count(Word, Table) || Word <- string:lexemes("the cat and the dog and the bird", " ")],
    Counts = most(Table, 2),
    ets:delete(Table),
    Counts.

count(Text, Table) ->
    Word = list_to_atom(Text),
    ets:update_counter(Table, Word, 1, {Word, 1}).

most(Table, N) ->
    Sorted = lists:sort(fun({A, Na}, {B, Nb}) -> {-Na, A} =< {-Nb, B} end, ets:tab2list(Table)),
    lists:sublist(Sorted, N).
