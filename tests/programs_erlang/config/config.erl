%% Reads settings of the form key=value.
-module(config).
-export([main/0]).

main() ->
    Settings = read("depth=3\nfilter=a=b\n\nname=test"),
    {maps:get("depth", Settings), maps:get("filter", Settings), maps:size(Settings)}.

read(Text) ->
    Lines = string:split(Text, "\n", all),
    maps:from_list([pair(Line) || Line <- Lines, Line =/= ""]).

pair(Line) ->
    [Key, Value] = string:split(Line, "=", all),
    {Key, typed(Value)}.

typed(Value) ->
    case string:to_integer(Value) of
        {Number, ""} -> Number;
        _ -> list_to_atom(Value)
    end.
