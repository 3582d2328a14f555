%% Replays the processes of a recorded run with the code of a reference version, and records the replay.
%%
%% One process after the other gets its first calls, and at each `receive` the messages that had arrived by then. It has
%% no effects: calls with effects return what they returned in the recorded run, and messages are only reported to the
%% process of this module. A process ends where no recorded result exists.
-module(adebug_replay).
-export([main/0, effect/3, dynamic/3, waits/2]).

-define(PAUSE, 5).     % milliseconds between two checks of a process
-define(STILL, 3).     % consecutive checks that find a process waiting
-define(TABLE, adebug_replay).

main() ->
    [File] = init:get_plain_arguments(),
    {ok, Content} = file:read_file(File),
    #{folder := Name, modules := Files, processes := Processes, limit := Limit} = binary_to_term(Content),
    Folder = unicode:characters_to_list(Name),
    adebug_recorder:start(),
    group_leader(spawn(fun adebug_reference:discard_output/0), self()),
    ets:new(?TABLE, [named_table, public]),
    Ended = try load([unicode:characters_to_list(F) || F <- Files]) of
        Sites ->
            write(Folder, "sites", Sites),
            ets:insert(?TABLE, {timed, [N || #{site := N, timed := true} <- maps:get(sites, Sites)]}),
            #{how => replayed, processes => replay_all(Folder, Processes, Limit)}
    catch
        throw:Problem -> #{how => refused, problem => Problem}
    end,
    write(Folder, "ended", Ended),
    erlang:halt(0, [{flush, true}]).

write(Folder, Name, Term) -> ok = file:write_file(filename:join(Folder, Name), term_to_binary(Term)).

load(Files) ->
    Found = [adebug_reference:compile_module(File) || File <- Files],
    Own = [Module || {Module, _, _} <- Found],
    {Sites, _} = lists:mapfoldl(fun({Module, Forms, File}, First) ->
        {Changed, Sites, Next} = adebug_instrument:module(Forms, First, Own),
        Options = [binary, return, nowarn_unused_vars, export_all, nowarn_export_all],
        {ok, Module, Beam, _} = compile:forms(adebug_effects:redirect(Changed, ?MODULE), Options),
        {module, Module} = code:load_binary(Module, File, Beam),
        ets:insert(?TABLE, {{forms, Module}, {Changed, Sites}}),
        {{Module, File, Sites, adebug_recorder:funs(Module, Beam)}, Next}
    end, 1, Found),
    #{modules => [{Module, unicode:characters_to_binary(File)} || {Module, File, _, _} <- Sites],
      sites => lists:append([S || {_, _, S, _} <- Sites]),
      funs => lists:append([F || {_, _, _, F} <- Sites])}.

replay_all(Folder, Processes, Limit) ->
    Open = dbg:trace_port(file, filename:join(Folder, "trace")),
    Port = Open(),
    erlang:trace_pattern({adebug_recorder, event, 2}, true, []),
    Replayed = lists:append([replay_process(Process, Port, Limit) || Process <- Processes]),
    Ref = erlang:trace_delivered(all),
    receive {trace_delivered, all, Ref} -> ok after 5000 -> ok end,
    port_control(Port, $f, []),
    port_close(Port),
    Replayed.

%% Replays one process; returns its index and pid, or an empty list if its input cannot be rebuilt here.
replay_process(#{index := Index, self := Self, calls := Calls, feeds := Feeds, answers := Answers}, Port, Limit) ->
    try {rebuild(Calls), rebuild(Feeds), [{{answers, Key}, rebuild(All)} || {Key, All} <- Answers]} of
        {Rebuilt, Messages, Known} ->
            ets:match_delete(?TABLE, {{answers, '_'}, '_'}),
            ets:insert(?TABLE, [{self, Self}, {feeds, Messages}, {waits, false}, {observer, self()}, {tables, #{}} | Known]),
            {Pid, Ref} = spawn_monitor(fun() -> receive adebug_go -> [call(Call) || Call <- Rebuilt] end end),
            erlang:trace(Pid, true, [call, send, {tracer, Port}]),
            Pid ! adebug_go,
            await(Pid, Ref, erlang:monotonic_time(millisecond) + Limit, {0, 0}),
            [{Index, Pid}]
    catch
        error:_ -> []
    end.

call({Called, Arguments}) ->
    try apply_target(Called, Arguments)
    catch
        error:{What, _} when What =:= unbound; What =:= unbound_var -> give_up();  % a fun that captured more
        Class:Reason -> report({raised, Class, Reason})
    end.

apply_target({Module, Function}, Arguments) -> apply(Module, Function, Arguments);
apply_target(Fun, Arguments) -> apply(Fun, Arguments).

rebuild(Value) -> adebug_reference:rebuild(Value, fun make_fun/5).

%% Makes a fun of instrumented code; the frame that made it is unknown here.
make_fun(Module, Function, Arity, Nth, Bindings) ->
    {Forms, Sites} = ets:lookup_element(?TABLE, {forms, Module}, 2),
    Funs = lists:sort([N || #{site := N, kind := 'fun', function := F, arity := A} <- Sites, {F, A} =:= {Function, Arity}]),
    Site = lists:nth(Nth, Funs),
    [{Fun, {var, _, Made}} | _] = funs(Site, Forms),
    Known = [{Name, rebuild(Value)} || {Name, Value} <- Bindings],
    adebug_reference:evaluate(Module, Fun, [{atom_to_binary(Made), {adebug_fun, 0, Site}} | Known], {Forms, ?MODULE}).

%% The instrumented fun with this site, and the variable that holds its frame and site.
funs(Site, {_, _, Inside} = Fun) when element(1, Fun) =:= 'fun' -> fun_with_site(Site, Fun, Inside);
funs(Site, {_, _, _, Inside} = Fun) when element(1, Fun) =:= named_fun -> fun_with_site(Site, Fun, {clauses, Inside});
funs(Site, Tuple) when is_tuple(Tuple) -> funs(Site, tuple_to_list(Tuple));
funs(Site, [Head | Tail]) -> funs(Site, Head) ++ funs(Site, Tail);
funs(_, _) -> [].

fun_with_site(Site, Fun, {clauses, [{clause, _, _, _, [{match, _, _, {call, _, _, [{integer, _, Site} | Rest]}} | _]} | _]}) ->
    [{Fun, lists:last(Rest)}];
fun_with_site(Site, _, {clauses, Clauses}) -> funs(Site, Clauses);
fun_with_site(_, _, _) -> [].

%% Waits until the process ends, blocks in a `receive`, or exceeds the time limit.
await(Pid, Ref, Deadline, {Before, Still}) ->
    receive
        {'DOWN', Ref, process, Pid, _} -> ok;
        {adebug_effect, _} -> await(Pid, Ref, Deadline, {Before, Still})
    after ?PAUSE ->
        Late = erlang:monotonic_time(millisecond) > Deadline,
        case process_info(Pid, [status, reductions]) of
            [{status, waiting}, {reductions, Before}] when Still >= ?STILL -> kill(Pid, Ref);
            _ when Late -> kill(Pid, Ref);
            [{status, waiting}, {reductions, Now}] ->
                case ets:lookup_element(?TABLE, waits, 2) of
                    true when Now =:= Before -> await(Pid, Ref, Deadline, {Now, Still + 1});
                    _ -> await(Pid, Ref, Deadline, {Now, 0})
                end;
            _ -> await(Pid, Ref, Deadline, {0, 0})
        end
    end.

kill(Pid, Ref) ->
    exit(Pid, kill),
    receive {'DOWN', Ref, process, Pid, _} -> ok end.

%% Called by the transformed code; see adebug_effects:redirect/2.

waits(Frame, Site) ->
    adebug_recorder:waits(Frame, Site),
    case ets:lookup_element(?TABLE, feeds, 2) of
        [] -> ok;
        [Messages | Rest] ->
            ets:insert(?TABLE, {feeds, Rest}),
            [self() ! Message || Message <- Messages]
    end,
    ets:insert(?TABLE, {waits, not lists:member(Site, ets:lookup_element(?TABLE, timed, 2))}).

dynamic(Module, Name, Arguments) ->
    case adebug_effects:is_effect(Module, {Name, length(Arguments)}) of
        true -> effect(Module, Name, Arguments);
        false -> apply(Module, Name, Arguments)
    end.

effect(erlang, self, []) -> ets:lookup_element(?TABLE, self, 2);
effect(erlang, apply, [Fun, Arguments]) when is_function(Fun) -> apply(Fun, Arguments);
effect(erlang, apply, [Module, Name, Arguments]) -> dynamic(Module, Name, Arguments);
effect(erlang, send, [_, Message | _] = Arguments) -> report_effect(erlang, send, Arguments), Message;
effect(erlang, exit, Arguments) -> report_effect(erlang, exit, Arguments), true;
effect(gen_server, cast, Arguments) -> report_effect(gen_server, cast, Arguments), ok;
effect(timer, sleep, _) -> ok;
effect(io, Name, Arguments) when Name =:= format; Name =:= fwrite; Name =:= put_chars; Name =:= nl ->
    report_effect(io, Name, Arguments),
    ok;
effect(erlang, Name, [_ | _] = Arguments) when Name =:= get; Name =:= put; Name =:= erase ->
    report_effect(erlang, Name, Arguments),
    apply(erlang, Name, Arguments);
effect(erlang, Name, _) when Name =:= get; Name =:= get_keys; Name =:= erase ->
    give_up();  % libraries use the dictionary, too
effect(ets, new, Arguments) ->
    report_effect(ets, new, Arguments),
    Table = ets:new(adebug_replayed, [public | [Option || Option <- lists:last(Arguments), Option =/= named_table]]),
    Answer = recorded_answer(ets, new, Arguments),
    ets:insert(?TABLE, {tables, maps:put(Answer, Table, ets:lookup_element(?TABLE, tables, 2))}),
    Answer;
effect(ets, Name, Arguments) ->
    Known = ets:lookup_element(?TABLE, tables, 2),
    case [Table || {Answer, Table} <- maps:to_list(Known), lists:member(Answer, Arguments)] of
        [Table] ->
            report_effect(ets, Name, Arguments),
            apply(ets, Name, [case maps:is_key(One, Known) of true -> Table; false -> One end || One <- Arguments]);
        _ -> give_up()
    end;
effect(Module, Name, Arguments) ->
    report_effect(Module, Name, Arguments),
    recorded_answer(Module, Name, Arguments).

%% The recorded result of the same call; for a write, the next recorded result of that function.
recorded_answer(Module, Name, Arguments) ->
    Key = {answers, {Module, Name, length(Arguments)}},
    Known = [One || {_, All} <- ets:lookup(?TABLE, Key), One <- All],
    Same = [One || {Recorded, _, _} = One <- Known, Recorded =:= Arguments],
    case Same ++ [One || {_, true, _} = One <- Known] of
        [{_, _, Answer} = One | _] ->
            ets:insert(?TABLE, {Key, lists:delete(One, Known)}),
            Answer;
        [] -> give_up()
    end.

give_up() ->
    report(unanswered),
    exit(self(), kill).

report_effect(Module, Name, Arguments) -> report({Module, Name, Arguments}).

report(What) -> ets:lookup_element(?TABLE, observer, 2) ! {adebug_effect, What}.
