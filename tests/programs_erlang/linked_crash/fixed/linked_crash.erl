%% Workers linked to a watcher that says how each of them ended.
-module(linked_crash).
-export([main/0, divide/3]).

main() ->
    process_flag(trap_exit, true),
    Tasks = [{10, 2}, {7, 0}, {9, 3}],
    Pids = [spawn_link(?MODULE, divide, [self(), A, B]) || {A, B} <- Tasks],
    Ends = watch(Pids, []),
    process_flag(trap_exit, false),
    Ends.

divide(Watcher, A, B) ->
    Watcher ! {quotient, self(), A div B}.

watch([], Ends) ->
    lists:reverse(Ends);
watch([Pid | Pids], Ends) ->
    receive
        {'EXIT', Pid, normal} -> watch(Pids, [value(Pid) | Ends]);
        {'EXIT', Pid, {Reason, _}} -> watch(Pids, [{crashed, Reason} | Ends])
    end.

value(Pid) ->
    receive
        {quotient, Pid, Value} -> Value
    after 0 ->
        none
    end.
