%% Run-length encoding and decoding of lists.
-module(run_length).
-export([main/0]).

main() ->
    Runs = encode([a, a, a, b, c, c]),
    {Runs, decode(Runs)}.

encode([]) ->
    [];
encode([Head | Tail]) ->
    count(Tail, Head, 0).

count([Same | Tail], Same, Seen) ->
    count(Tail, Same, Seen + 1);
count(List, Element, Seen) ->
    [{Element, Seen} | encode(List)].

decode(Runs) ->
    lists:append([lists:duplicate(Times, Element) || {Element, Times} <- Runs]).
