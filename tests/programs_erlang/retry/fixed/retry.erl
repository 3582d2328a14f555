%% Tries a task again while it is busy.
-module(retry).
-export([main/0]).

main() ->
    {attempt(fun quick/1, 3), catch attempt(fun slow/1, 5), attempt(fun never/1, 2)}.

quick(_) ->
    done.

slow(Left) when Left > 3 ->
    throw(busy);
slow(Left) ->
    {done, Left}.

never(_) ->
    exit(broken).

attempt(_, 0) ->
    gave_up;
attempt(Task, Left) ->
    try
        Task(Left)
    catch
        throw:busy -> attempt(Task, Left - 1);
        exit:Reason -> {failed, Reason}
    end.
