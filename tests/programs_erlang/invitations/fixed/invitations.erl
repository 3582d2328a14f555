%% Who is invited: those who know the host; and which of them know each other.
-module(invitations).
-export([main/0]).

main() ->
    {invited(ann, friends()), pairs(invited(ann, friends()))}.

friends() ->
    [{ann, [bob, cid, dee]}, {bob, [ann, dee]}, {cid, [ann]}, {dee, [ann, bob]}, {eve, [bob]}].

invited(Host, Friends) ->
    [Guest || {Guest, Known} <- Friends, Guest =/= Host, Friend <- Known, Friend =:= Host].

pairs(Guests) ->
    [{A, B} || A <- Guests, B <- Guests, A < B, likes(A, B)].

likes(A, B) ->
    {A, Known} = lists:keyfind(A, 1, friends()),
    lists:member(B, Known).
