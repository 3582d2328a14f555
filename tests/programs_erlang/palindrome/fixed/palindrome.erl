%% Words that read the same from both ends.
-module(palindrome).
-export([main/0]).

main() ->
    [{Word, mirrored(atom_to_list(Word))} || Word <- [level, noon, label, a]].

mirrored(Text) when length(Text) < 2 ->
    true;
mirrored([First | Rest]) ->
    First =:= lists:last(Rest) andalso mirrored(lists:droplast(Rest)).
