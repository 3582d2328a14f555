%% Matrices as lists of rows.
-module(matrix).
-export([main/0]).

main() ->
    A = [[1, 2], [3, 4]],
    B = [[0, 1], [2, 3]],
    {multiply(A, identity(2)), multiply(A, B), power(B, 5)}.

identity(N) ->
    [[delta(Row, Column) || Column <- lists:seq(1, N)] || Row <- lists:seq(1, N)].

delta(Same, Same) -> 1;
delta(_, _) -> 0.

transpose([[] | _]) ->
    [];
transpose(Rows) ->
    [[hd(Row) || Row <- Rows] | transpose([tl(Row) || Row <- Rows])].

multiply(A, B) ->
    [[dot(Row, Column) || Column <- B] || Row <- A].

dot(Xs, Ys) ->
    lists:sum(lists:zipwith(fun(X, Y) -> X * Y end, Xs, Ys)).

power(Matrix, 0) ->
    identity(length(Matrix));
power(Matrix, N) ->
    multiply(Matrix, power(Matrix, N - 1)).
