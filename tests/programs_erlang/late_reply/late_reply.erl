%% A server that answers a slow question only when the next question comes; callers do not wait for long.
-module(late_reply).
-export([main/0, server/1]).

main() ->
    Server = spawn(?MODULE, server, [none]),
    [call(Server, Question) || Question <- [{quick, 1}, {slow, 2}, {quick, 3}]].

call(Server, Question) ->
    Ref = make_ref(),
    Server ! {question, self(), Ref, Question},
    receive
        {answer, _, Answer} -> Answer
    after 300 ->
        timed_out
    end.

server(Waiting) ->
    receive
        {question, Pid, Ref, {slow, N}} ->
            server({Pid, Ref, N});
        {question, Pid, Ref, {quick, N}} ->
            finish(Waiting),
            answer(Pid, Ref, N),
            server(none)
    end.

finish(none) ->
    ok;
finish({Pid, Ref, N}) ->
    answer(Pid, Ref, N).

answer(Pid, Ref, N) ->
    Pid ! {answer, Ref, N * 10}.
