%% Questions asked all at once; the one who answers begins with the last.
-module(reply_order).
-export([main/0, answerer/1]).

main() ->
    Pid = spawn(?MODULE, answerer, [[]]),
    Refs = [ask(Pid, Question) || Question <- [one, two, three]],
    Pid ! answer,
    gather(Refs).

ask(Pid, Question) ->
    Ref = make_ref(),
    Pid ! {ask, self(), Ref, Question},
    Ref.

gather([]) ->
    [];
gather([_ | Refs]) ->
    receive
        {reply, _, Answer} -> [Answer | gather(Refs)]
    end.

answerer(Open) ->
    receive
        {ask, Pid, Ref, Question} ->
            answerer([{Pid, Ref, Question} | Open]);
        answer ->
            [Pid ! {reply, Ref, {Question, size_of(Question)}} || {Pid, Ref, Question} <- Open]
    end.

size_of(Question) ->
    length(atom_to_list(Question)).
