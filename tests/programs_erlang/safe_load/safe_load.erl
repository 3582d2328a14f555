%% Loads numbers from entries; absent ones have the value 0, broken ones are reported.
-module(safe_load).
-export([main/0]).

main() ->
    Entries = [{a, "12"}, {b, "x7"}],
    {[report(Key, Entries) || Key <- [a, b, c]], erase(last_tried)}.

report(Key, Entries) ->
    try load(Key, Entries) of
        Number -> {Key, Number}
    catch
        error:badarg -> {Key, broken}
    end.

load(Key, Entries) ->
    try
        list_to_integer(find(Key, Entries))
    catch
        _:_ -> 0
    after
        put(last_tried, Key)
    end.

find(Key, Entries) ->
    case lists:keyfind(Key, 1, Entries) of
        {Key, Text} -> Text;
        false -> throw(absent)
    end.
