%% Three philosophers, three forks; all pick up their first fork before anybody picks up a second one.
-module(philosophers).
-export([main/0, fork/0, philosopher/4]).

main() ->
    [A, B, C] = [{Number, spawn(?MODULE, fork, [])} || Number <- [1, 2, 3]],
    Seats = [{plato, A, B}, {kant, B, C}, {hume, C, A}],
    Table = self(),
    Pids = [spawn(?MODULE, philosopher, [Name, Left, Right, Table]) || {Name, Left, Right} <- Seats],
    [receive {seated, Pid} -> ok end || Pid <- Pids],
    [Pid ! eat || Pid <- Pids],
    lists:sort([receive {full, Name} -> Name end || _ <- Pids]).

fork() ->
    receive
        {take, Pid} ->
            Pid ! {taken, self()},
            receive
                {put_down, Pid} -> fork()
            end
    end.

philosopher(Name, Left, Right, Table) ->
    {{_, First}, {_, Second}} = order(Left, Right),
    First ! {take, self()},
    Table ! {seated, self()},
    receive
        eat -> ok
    end,
    receive
        {taken, First} -> Second ! {take, self()}
    end,
    receive
        {taken, Second} -> Table ! {full, Name}
    end,
    [Fork ! {put_down, self()} || Fork <- [First, Second]].

%% The forks in an order that is the same for everybody.
order(Left, Right) ->
    {min(Left, Right), max(Left, Right)}.
