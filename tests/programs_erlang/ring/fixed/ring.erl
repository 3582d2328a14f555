%% A ring of processes elects the one with the largest number.
-module(ring).
-export([main/0, start/2]).

main() ->
    {elect([3, 8, 5]), elect([4])}.

elect(Ids) ->
    Pids = [spawn(?MODULE, start, [Id, self()]) || Id <- Ids],
    connect(Pids),
    receive
        {leader, Leader} ->
            [Pid ! stop || Pid <- Pids],
            Leader
    end.

connect([First | Others] = Pids) ->
    lists:zipwith(fun(Pid, Next) -> Pid ! {next, Next} end, Pids, Others ++ [First]).

start(Id, Main) ->
    receive
        {next, Next} ->
            Next ! {candidate, Id},
            member(Id, Next, Main)
    end.

member(Id, Next, Main) ->
    receive
        {candidate, Id} ->
            Main ! {leader, Id},
            member(Id, Next, Main);
        {candidate, Other} when Other > Id ->
            Next ! {candidate, Other},
            member(Id, Next, Main);
        {candidate, _} ->
            member(Id, Next, Main);
        stop ->
            ok
    end.
