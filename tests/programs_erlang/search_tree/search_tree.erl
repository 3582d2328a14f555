%% A binary search tree: insert, delete, keys in order.
-module(search_tree).
-export([main/0]).

main() ->
    Tree = lists:foldl(fun insert/2, empty, [50, 30, 70, 60, 80, 65]),
    Without = delete(50, Tree),
    {keys(Tree), keys(Without), keys(delete(99, Without))}.

insert(Key, empty) ->
    {Key, empty, empty};
insert(Key, {Here, Left, Right}) when Key < Here ->
    {Here, insert(Key, Left), Right};
insert(Key, {Here, Left, Right}) when Key > Here ->
    {Here, Left, insert(Key, Right)};
insert(_, Tree) ->
    Tree.

delete(_, empty) ->
    empty;
delete(Key, {Here, Left, Right}) when Key < Here ->
    {Here, delete(Key, Left), Right};
delete(Key, {Here, Left, Right}) when Key > Here ->
    {Here, Left, delete(Key, Right)};
delete(_, {_, empty, Right}) ->
    Right;
delete(_, {_, Left, empty}) ->
    Left;
delete(_, {_, Left, Right}) ->
    Least = least(Right),
    {Least, delete(Least, Left), Right}.

least({Key, empty, _}) ->
    Key;
least({_, Left, _}) ->
    least(Left).

keys(empty) ->
    [];
keys({Key, Left, Right}) ->
    keys(Left) ++ [Key | keys(Right)].
