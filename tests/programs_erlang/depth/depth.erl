%% The depth and the leaves of a tree.
-module(depth).
-export([main/0]).

main() ->
    Tree = {node, {leaf, 1}, {node, {leaf, 2}, empty}},
    {depth(empty), leaves(Tree), depth(Tree)}.

leaves(empty) ->
    [];
leaves({leaf, Value}) ->
    [Value];
leaves({node, Left, Right}) ->
    leaves(Left) ++ leaves(Right).

depth(empty) ->
    0;
depth({node, Left, Right}) ->
    1 + max(depth(Left), depth(Right)).
