%% Changes of a text, each with a fun that undoes it.
-module(editor).
-export([main/0]).

main() ->
    {Text, History} = apply_all([{insert, " world"}, {upper, all}], {"hello", []}),
    {list_to_atom(Text), list_to_atom(undo(1, History)), list_to_atom(undo(2, History))}.

apply_all(Changes, State) ->
    lists:foldl(fun({Kind, What}, Now) -> change(Kind, What, Now) end, State, Changes).

change(Kind, What, {Before, History}) ->
    After = changed(Kind, What, Before),
    {After, [fun() -> After end | History]}.

changed(insert, More, Text) ->
    Text ++ More;
changed(upper, all, Text) ->
    string:uppercase(Text).

undo(Steps, History) ->
    Undo = lists:nth(Steps, History),
    Undo().
