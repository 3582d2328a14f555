%% What it costs to send parcels.
-module(shipping).
-export([main/0]).

main() ->
    [{Weight, cost(Weight, inland)} || Weight <- [1, 6, 25]] ++ [cost(25, abroad)].

cost(Weight, abroad) ->
    2 * cost(Weight, inland);
%% It takes two people to carry more than 20 kg.
cost(Weight, inland) when Weight > 20 -> 1900 + insurance(Weight);
cost(Weight, inland) when Weight > 5 -> 900 + insurance(Weight);
cost(_, inland) ->
    400.

insurance(Weight) ->
    Weight * 10.
