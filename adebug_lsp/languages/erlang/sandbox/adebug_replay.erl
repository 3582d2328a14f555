%% Enacts what processes of a recorded run were given, with a right version of its code, and records what that does.
%%
%% One process after the other gets the calls that it began with, and at every `receive` the messages that had come by
%% then. Nothing leaves it: what it asks of the world is answered as it was in the recorded run, what it sends is told to
%% this module's process and goes no further. Where there is no answer the process ends.
-module(adebug_replay).
-export([main/0, effect/3, dynamic/3, waits/2]).

-define(PAUSE, 5).     % milliseconds between two looks at a process
-define(STILL, 3).     % looks in a row that find a process waiting
-define(TABLE, adebug_replay).

main() ->
    [File] = init:get_plain_arguments(),
    {ok, Content} = file:read_file(File),
    #{folder := Name, modules := Files, processes := Processes, limit := Limit} = binary_to_term(Content),
    Folder = unicode:characters_to_list(Name),
    adebug_recorder:start(),
    group_leader(spawn(fun adebug_reference:nowhere/0), self()),
    ets:new(?TABLE, [named_table, public]),
    Ended = try loaded([unicode:characters_to_list(F) || F <- Files]) of
        Sites ->
            write(Folder, "sites", Sites),
            ets:insert(?TABLE, {timed, [N || #{site := N, timed := true} <- maps:get(sites, Sites)]}),
            #{how => enacted, processes => recorded(Folder, Processes, Limit)}
    catch
        throw:Problem -> #{how => refused, problem => Problem}
    end,
    write(Folder, "ended", Ended),
    erlang:halt(0, [{flush, true}]).

write(Folder, Name, Term) -> ok = file:write_file(filename:join(Folder, Name), term_to_binary(Term)).

loaded(Files) ->
    Found = [adebug_reference:compiled(File) || File <- Files],
    Own = [Module || {Module, _, _} <- Found],
    {Sites, _} = lists:mapfoldl(fun({Module, Forms, File}, First) ->
        {Changed, Sites, Next} = adebug_instrument:module(Forms, First, Own),
        Options = [binary, return, nowarn_unused_vars, export_all, nowarn_export_all],
        {ok, Module, Beam, _} = compile:forms(adebug_effects:answered(Changed, ?MODULE), Options),
        {module, Module} = code:load_binary(Module, File, Beam),
        ets:insert(?TABLE, {{forms, Module}, {Changed, Sites}}),
        {{Module, File, Sites, adebug_recorder:funs(Module, Beam)}, Next}
    end, 1, Found),
    #{modules => [{Module, unicode:characters_to_binary(File)} || {Module, File, _, _} <- Sites],
      sites => lists:append([S || {_, _, S, _} <- Sites]),
      funs => lists:append([F || {_, _, _, F} <- Sites])}.

recorded(Folder, Processes, Limit) ->
    Open = dbg:trace_port(file, filename:join(Folder, "trace")),
    Port = Open(),
    erlang:trace_pattern({adebug_recorder, event, 2}, true, []),
    Enacted = lists:append([enacted(Process, Port, Limit) || Process <- Processes]),
    Ref = erlang:trace_delivered(all),
    receive {trace_delivered, all, Ref} -> ok after 5000 -> ok end,
    port_control(Port, $f, []),
    port_close(Port),
    Enacted.

%% A process that is given what the one with this number was given; none where that cannot be made here.
enacted(#{index := Index, self := Self, calls := Calls, feeds := Feeds, answers := Answers}, Port, Limit) ->
    try {rebuilt(Calls), rebuilt(Feeds), [{{answers, Key}, rebuilt(All)} || {Key, All} <- Answers]} of
        {Begin, Come, Known} ->
            ets:match_delete(?TABLE, {{answers, '_'}, '_'}),
            ets:insert(?TABLE, [{self, Self}, {feeds, Come}, {waits, false}, {teller, self()}, {tables, #{}} | Known]),
            {Pid, Ref} = spawn_monitor(fun() -> receive adebug_go -> [begun(Call) || Call <- Begin] end end),
            erlang:trace(Pid, true, [call, send, {tracer, Port}]),
            Pid ! adebug_go,
            awaited(Pid, Ref, erlang:monotonic_time(millisecond) + Limit, {0, 0}),
            [{Index, Pid}]
    catch
        error:_ -> []
    end.

begun({Called, Given}) ->
    try called(Called, Given)
    catch
        error:{What, _} when What =:= unbound; What =:= unbound_var -> unanswered();  % of a fun that knows more
        Class:Reason -> tell({raised, Class, Reason})
    end.

called({Module, Function}, Given) -> apply(Module, Function, Given);
called(Fun, Given) -> apply(Fun, Given).

rebuilt(Value) -> adebug_reference:rebuilt(Value, fun made/5).

%% A fun of rewritten code; where it was made is not known here.
made(Module, Function, Arity, Nth, Bindings) ->
    {Forms, Sites} = ets:lookup_element(?TABLE, {forms, Module}, 2),
    Funs = lists:sort([N || #{site := N, kind := 'fun', function := F, arity := A} <- Sites, {F, A} =:= {Function, Arity}]),
    Site = lists:nth(Nth, Funs),
    [{Fun, {var, _, Made}} | _] = funs(Site, Forms),
    Known = [{Name, rebuilt(Value)} || {Name, Value} <- Bindings],
    adebug_reference:evaluated(Module, Fun, [{atom_to_binary(Made), {adebug_fun, 0, Site}} | Known], {Forms, ?MODULE}).

%% The rewritten fun with this site, and the variable that it tells where it was made with.
funs(Site, {_, _, Inside} = Fun) when element(1, Fun) =:= 'fun' -> told_by(Site, Fun, Inside);
funs(Site, {_, _, _, Inside} = Fun) when element(1, Fun) =:= named_fun -> told_by(Site, Fun, {clauses, Inside});
funs(Site, Tuple) when is_tuple(Tuple) -> funs(Site, tuple_to_list(Tuple));
funs(Site, [Head | Tail]) -> funs(Site, Head) ++ funs(Site, Tail);
funs(_, _) -> [].

told_by(Site, Fun, {clauses, [{clause, _, _, _, [{match, _, _, {call, _, _, [{integer, _, Site} | Told]}} | _]} | _]}) ->
    [{Fun, lists:last(Told)}];
told_by(Site, _, {clauses, Clauses}) -> funs(Site, Clauses);
told_by(_, _, _) -> [].

%% Until it ends, waits for what never comes, or takes too long.
awaited(Pid, Ref, Deadline, {Before, Still}) ->
    receive
        {'DOWN', Ref, process, Pid, _} -> ok;
        {adebug_effect, _} -> awaited(Pid, Ref, Deadline, {Before, Still})
    after ?PAUSE ->
        Late = erlang:monotonic_time(millisecond) > Deadline,
        case process_info(Pid, [status, reductions]) of
            [{status, waiting}, {reductions, Before}] when Still >= ?STILL -> ended(Pid, Ref);
            _ when Late -> ended(Pid, Ref);
            [{status, waiting}, {reductions, Now}] ->
                case ets:lookup_element(?TABLE, waits, 2) of
                    true when Now =:= Before -> awaited(Pid, Ref, Deadline, {Now, Still + 1});
                    _ -> awaited(Pid, Ref, Deadline, {Now, 0})
                end;
            _ -> awaited(Pid, Ref, Deadline, {0, 0})
        end
    end.

ended(Pid, Ref) ->
    exit(Pid, kill),
    receive {'DOWN', Ref, process, Pid, _} -> ok end.

%% What the code calls

waits(Frame, Site) ->
    adebug_recorder:waits(Frame, Site),
    case ets:lookup_element(?TABLE, feeds, 2) of
        [] -> ok;
        [Come | Rest] ->
            ets:insert(?TABLE, {feeds, Rest}),
            [self() ! Message || Message <- Come]
    end,
    ets:insert(?TABLE, {waits, not lists:member(Site, ets:lookup_element(?TABLE, timed, 2))}).

dynamic(Module, Name, Given) ->
    case adebug_effects:is_effect(Module, {Name, length(Given)}) of
        true -> effect(Module, Name, Given);
        false -> apply(Module, Name, Given)
    end.

effect(erlang, self, []) -> ets:lookup_element(?TABLE, self, 2);
effect(erlang, apply, [Fun, Given]) when is_function(Fun) -> apply(Fun, Given);
effect(erlang, apply, [Module, Name, Given]) -> dynamic(Module, Name, Given);
effect(erlang, send, [_, Message | _] = Given) -> told(erlang, send, Given), Message;
effect(erlang, exit, Given) -> told(erlang, exit, Given), true;
effect(gen_server, cast, Given) -> told(gen_server, cast, Given), ok;
effect(timer, sleep, _) -> ok;
effect(io, Name, Given) when Name =:= format; Name =:= fwrite; Name =:= put_chars; Name =:= nl ->
    told(io, Name, Given),
    ok;
effect(erlang, Name, [_ | _] = Given) when Name =:= get; Name =:= put; Name =:= erase ->
    told(erlang, Name, Given),
    apply(erlang, Name, Given);
effect(erlang, Name, _) when Name =:= get; Name =:= get_keys; Name =:= erase ->
    unanswered();  % libraries have put something there too
effect(ets, new, Given) ->
    told(ets, new, Given),
    Table = ets:new(adebug_enacted, [public | [Option || Option <- lists:last(Given), Option =/= named_table]]),
    Answer = answer(ets, new, Given),
    ets:insert(?TABLE, {tables, maps:put(Answer, Table, ets:lookup_element(?TABLE, tables, 2))}),
    Answer;
effect(ets, Name, Given) ->
    Known = ets:lookup_element(?TABLE, tables, 2),
    case [Table || {Answer, Table} <- maps:to_list(Known), lists:member(Answer, Given)] of
        [Table] ->
            told(ets, Name, Given),
            apply(ets, Name, [case maps:is_key(One, Known) of true -> Table; false -> One end || One <- Given]);
        _ -> unanswered()
    end;
effect(Module, Name, Given) ->
    told(Module, Name, Given),
    answer(Module, Name, Given).

%% What the recorded code was answered when it asked the same; when it did something, what it was answered next.
answer(Module, Name, Given) ->
    Key = {answers, {Module, Name, length(Given)}},
    Known = [One || {_, All} <- ets:lookup(?TABLE, Key), One <- All],
    Same = [One || {Recorded, _, _} = One <- Known, Recorded =:= Given],
    case Same ++ [One || {_, true, _} = One <- Known] of
        [{_, _, Answer} = One | _] ->
            ets:insert(?TABLE, {Key, lists:delete(One, Known)}),
            Answer;
        [] -> unanswered()
    end.

unanswered() ->
    tell(unanswered),
    exit(self(), kill).

told(Module, Name, Given) -> tell({Module, Name, Given}).

tell(What) -> ets:lookup_element(?TABLE, teller, 2) ! {adebug_effect, What}.
