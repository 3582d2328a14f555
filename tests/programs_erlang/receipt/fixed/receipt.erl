%% A receipt as lines of text.
-module(receipt).
-export([main/0]).

main() ->
    [list_to_atom(Line) || Line <- lines([{tea, 205}, {cake, 350}])].

lines(Items) ->
    Total = lists:sum([Cents || {_, Cents} <- Items]),
    [line(Name, Cents) || {Name, Cents} <- Items] ++ [line(total, Total)].

line(Name, Cents) ->
    lists:flatten(io_lib:format("~-6s~s", [atom_to_list(Name), money(Cents)])).

money(Cents) ->
    io_lib:format("~b.~2..0b", [Cents div 100, Cents rem 100]).
