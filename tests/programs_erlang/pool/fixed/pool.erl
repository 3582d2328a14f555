%% Two workers that ask a pool for jobs; results are collected by the number of the job.
-module(pool).
-export([main/0, worker/1]).

main() ->
    Jobs = [{1, fun square/1, 4}, {2, fun cube/1, 2}, {3, fun square/1, 5}, {4, fun cube/1, 3}],
    [spawn(?MODULE, worker, [self()]) || _ <- [1, 2]],
    serve(Jobs, length(Jobs), #{}).

square(N) -> N * N.
cube(N) -> N * N * N.

serve(_, 0, Results) ->
    lists:sort(maps:to_list(Results));
serve(Jobs, Open, Results) ->
    receive
        {ready, Pid} when Jobs =/= [] ->
            Pid ! {job, hd(Jobs)},
            serve(tl(Jobs), Open, Results);
        {result, Number, Value} ->
            serve(Jobs, Open - 1, Results#{Number => Value})
    end.

worker(Pool) ->
    Pool ! {ready, self()},
    receive
        {job, {Number, Job, Input}} ->
            Pool ! {result, Number, Job(Input)},
            worker(Pool)
    end.
