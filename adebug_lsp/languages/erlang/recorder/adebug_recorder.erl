%% Evaluates an expression on this VM and records what instrumented code does.
%%
%% An event is a call of `event/2`, a function without effect that the VM traces into a file: so events are in one
%% order with messages, spawns and exits, and those of a killed process are kept. The output of the program is not
%% touched; how the run ended is written to a file beside the trace.
%% Tracing with a file port: https://www.erlang.org/doc/apps/runtime_tools/dbg.html#trace_port/2 and
%% https://www.erlang.org/doc/apps/erts/erlang.html#trace/3 (checked with OTP 25 to 29).
-module(adebug_recorder).
-export([main/0, start/0, tests/1, funs/2]).
-export([enter/4, enter_fun/5, none/2, value/3, bound/4, chose/5, waits/2, iteration/3, calls/2, calls/3, tail/2, returns/2, decides/3, halts/0, ports/0]).
-export([event/2]).

-define(PAUSE, 100).   % milliseconds between flushes of the trace
-define(MAX_ERRORS, 4). % compiler errors that are reported: later ones usually follow from the first

%% Called by instrumented code. The first byte of an event is its kind; Python's `reading/trace.py` reads the layout.

enter(Site, Clause, Arguments, Variables) ->
    Frame = frame(),
    ?MODULE:event(<<$c, Frame:48, Site:32, Clause:16>>, adebug_values:stored_all(Arguments, Variables)),
    Frame.

enter_fun(Site, Clause, Arguments, Variables, {adebug_fun, Definer, _}) ->
    Frame = frame(),
    {Stored, Bound} = adebug_values:stored_all(Arguments, Variables),
    ?MODULE:event(<<$f, Frame:48, Site:32, Clause:16>>, {Stored, Bound, Definer}),
    Frame.

none(Site, Arguments) ->
    Frame = frame(),
    ?MODULE:event(<<$n, Frame:48, Site:32, 0:16>>, {adebug_values:stored_all(Arguments), []}).

value(Frame, Site, Value) ->
    ?MODULE:event(<<$v, Frame:48, Site:32, 0:16>>, adebug_values:stored(Value)),
    Value.

bound(Frame, Site, Value, Variables) ->
    {[Stored], Parts} = adebug_values:stored_all([Value], Variables),
    ?MODULE:event(<<$m, Frame:48, Site:32, 0:16>>, {Stored, Parts}).

chose(Frame, Site, Clause, Value, Variables) ->
    {[Stored], Parts} = adebug_values:stored_all([Value], Variables),
    ?MODULE:event(<<$k, Frame:48, Site:32, Clause:16>>, {Stored, Parts}).

waits(Frame, Site) ->
    ?MODULE:event(<<$w, Frame:48, Site:32, 0:16>>, []).

iteration(Frame, Site, Variables) ->
    ?MODULE:event(<<$g, Frame:48, Site:32, 0:16>>, adebug_values:stored_all(Variables)).

calls(Frame, Site) ->
    ?MODULE:event(<<$s, Frame:48, Site:32, 0:16>>, []).

%% A call with effects, with its arguments.
calls(Frame, Site, Arguments) ->
    ?MODULE:event(<<$s, Frame:48, Site:32, 0:16>>, adebug_values:stored_all(Arguments)).

tail(Frame, Site) ->
    ?MODULE:event(<<$t, Frame:48, Site:32, 0:16>>, []).

returns(Frame, Value) ->
    ?MODULE:event(<<$r, Frame:48, 0:32, 0:16>>, adebug_values:stored(Value)),
    Value.

%% The left operand of `andalso` or `orelse`, which may be the result.
decides(Frame, Value, Value) when is_boolean(Value) -> returns(Frame, Value);
decides(_Frame, _Deciding, Value) -> Value.

%% The program is about to stop the VM: flush the trace first. `$f` is the flush command of OTP's `trace_file_drv`.
halts() ->
    case persistent_term:get({?MODULE, port}, none) of
        none -> ok;
        Port -> port_control(Port, $f, [])
    end.

%% The ports without that of the trace.
ports() -> erlang:ports() -- [persistent_term:get({?MODULE, port}, none)].

event(_What, _Values) -> ok.

frame() -> atomics:add_get(persistent_term:get(?MODULE), 1, 1).

%% The run

start() ->
    persistent_term:put(?MODULE, atomics:new(1, [])),
    adebug_values:start().

main() ->
    [File] = init:get_plain_arguments(),
    start(),  % `-on_load` may run instrumented code
    {ok, Content} = file:read_file(File),
    Options = binary_to_term(Content),
    Folder = maps:get(folder, Options),
    Ended = try tools_are_there() andalso prepared(Options) of
        false ->
            #{how => refused, problem => <<"runtime_tools, a part of Erlang/OTP, is missing: on Debian and Ubuntu it is "
                                           "in the package erlang-runtime-tools; see adebug doctor">>};
        {ok, Expression, Module, Plain, Sites} ->
            write(Folder, "sites", Sites),
            evaluated(Expression, Module, Plain, Options);
        {error, Problem} ->
            #{how => refused, problem => Problem}
    catch
        Class:Reason:Stack ->
            #{how => refused, problem => text("the recorder failed: ~0p:~0p ~0p", [Class, Reason, Stack])}
    end,
    write(Folder, "ended", Ended),
    erlang:halt(0, [{flush, true}]).

%% `dbg` is needed to write a trace.
tools_are_there() -> code:which(dbg) =/= non_existing.

write(Folder, Name, Term) ->
    Path = filename:join(Folder, Name),
    ok = file:write_file(Path, term_to_binary(Term)).

prepared(#{modules := Programs, expression := Text} = Options) ->
    code:add_pathsa([unicode:characters_to_list(P) || P <- maps:get(paths, Options, []) ++ maps:get(beams, Options, [])]),
    case expression(unicode:characters_to_list(Text)) of
        {error, _} = Error -> Error;
        {ok, Expression} ->
            Files = [filename:absname(unicode:characters_to_list(F)) || F <- Programs],
            case all_forms(Files, Options#{given => Files}, [], []) of
                {error, _} = Error -> Error;
                {ok, Found, Skipped} -> loaded(Found, Skipped, Expression)
            end
    end.

loaded(Found, Skipped, Expression) ->
    Forms = [{Module, File, Code} || {Module, File, Code} <- Found, is_list(Code)],
    case instrumented(Forms, [Module || {Module, _, _} <- Forms], 1, [], []) of
        {error, _} = Error -> Error;
        {ok, Sites, Funs} ->
            Files = [{Module, unicode:characters_to_binary(source(File, Code))} || {Module, File, Code} <- Found],
            Plain = [Module || {Module, File, none} <- Found, {module, _} <- [code:load_abs(filename:rootname(File))]],
            First = case Found of [{Module, _, _} | _] -> Module; [] -> none end,
            {ok, Expression, First, Plain, #{modules => Files, sites => Sites, funs => Funs, skipped => Skipped}}
    end.

%% Source of a compiled module, if it exists and has not changed since.
source(File, Code) when is_list(Code) ->
    Named = [Path || {attribute, _, file, {Path, _}} <- Code],
    Folder = filename:dirname(File),
    case filename:extension(File) =:= ".beam" andalso Named =/= [] of
        true ->
            Path = filename:absname(hd(Named), Folder),
            case filelib:is_regular(Path) andalso filelib:last_modified(Path) =< filelib:last_modified(File) of
                true -> Path;
                false -> File
            end;
        false -> File
    end;
source(File, none) -> File.

expression(Text) ->
    Full = case lists:reverse(string:trim(Text)) of
        [$. | _] -> Text;
        _ -> Text ++ "."
    end,
    case erl_scan:string(Full, {1, 1}) of
        {ok, Tokens, _} ->
            {dot, End} = lists:last(Tokens),
            case erl_parse:parse_exprs(Tokens) of
                {ok, Expressions} -> {ok, Expressions};
                {error, {End, _, _}} ->
                    {error, text("cannot parse the expression ~ts: it is incomplete", [Text])};
                {error, {_, Module, What}} -> {error, text("cannot parse the expression ~ts: ~ts", [Text, Module:format_error(What)])}
            end;
        {error, {_, Module, What}, _} ->
            {error, text("cannot parse the expression ~ts: ~ts", [Text, Module:format_error(What)])}
    end.

%% The program and all modules beside it that it names, each with its abstract code, or `none` if only a module
%% compiled without debug information exists: the VM traces the calls of that. A module that does not compile is
%% reported and left out, if the program only mentions its name.
%% Abstract code: https://www.erlang.org/doc/apps/erts/absform.html, `raw_abstract_v1` in the debug information.

all_forms([], _, Found, Skipped) -> {ok, lists:reverse(Found), lists:usort(Skipped)};
all_forms([File | Rest], Options, Found, Skipped) ->
    case lists:keymember(File, 2, Found) orelse lists:keymember(module(File), 1, Found) of
        true -> all_forms(Rest, Options, Found, Skipped);
        false ->
            case forms(File, Options) of
                {ok, Module, Code, Named} ->
                    all_forms(Rest ++ beside(File, Named, Options), Options, [{Module, File, Code} | Found], Skipped);
                {error, Problem} = Error ->
                    case is_needed(File, Options, Found) of
                        true -> Error;
                        false -> all_forms(Rest, Options, Found, [Problem | Skipped])
                    end
            end
    end.

is_needed(File, #{given := Programs}, Found) ->
    lists:member(File, Programs) orelse lists:any(fun({_, _, Code}) -> calls_into(module(File), Code) end, Found).

calls_into(Module, {remote, _, {atom, _, Module}, _}) -> true;
calls_into(Module, Tuple) when is_tuple(Tuple) -> calls_into(Module, tuple_to_list(Tuple));
calls_into(Module, [Head | Tail]) -> calls_into(Module, Head) orelse calls_into(Module, Tail);
calls_into(_, _) -> false.

module(File) -> list_to_atom(filename:basename(filename:rootname(File))).

forms(File, Options) ->
    Includes = [{i, unicode:characters_to_list(I)} || I <- maps:get(includes, Options, [])],
    case filename:extension(File) of
        ".beam" -> abstract(File, File);
        _ ->
            Test = [{d, 'TEST'} || maps:is_key(tests, Options)],
            case compile:file(filename:rootname(File), [binary, debug_info, return, {i, filename:dirname(File)} | Test ++ Includes]) of
                {ok, _, Beam, _} -> abstract(Beam, File);
                {error, Errors, _} -> {error, text("~ts", [messages(Errors)])}
            end
    end.

abstract(Beam, File) ->
    case beam_lib:chunks(Beam, [abstract_code, imports]) of
        {ok, {Module, [{abstract_code, {raw_abstract_v1, Forms}}, _]}} -> {ok, Module, Forms, lists:usort(atoms(Forms))};
        {ok, {Module, [_, {imports, Imports}]}} -> {ok, Module, none, lists:usort([M || {M, _, _} <- Imports])};
        {error, _, Why} -> {error, text("~ts: ~ts", [File, beam_lib:format_error(Why)])}
    end.

messages(Errors) ->
    {Reported, More} = beginning([message(File, Error) || {File, All} <- Errors, Error <- All]),
    lists:join("; ", Reported ++ [io_lib:format("and ~b more", [length(More)]) || More =/= []]).

beginning(Messages) -> lists:split(min(?MAX_ERRORS, length(Messages)), Messages).

message(File, {Where, Module, What}) ->
    Place = case Where of
        {Line, Column} -> io_lib:format("~b:~b: ", [Line, Column]);
        Line when is_integer(Line) -> io_lib:format("~b: ", [Line]);
        _ -> ""
    end,
    io_lib:format("~ts:~ts~ts", [File, Place, Module:format_error(What)]).

beside(File, Named, Options) ->
    Folders = [filename:dirname(File) | texts(sources, Options)],
    Beams = texts(beams, Options),
    [Path || Name <- Named,
             Path <- first([{F, ".erl"} || F <- Folders] ++ [{F, ".beam"} || F <- Beams], atom_to_list(Name))].

texts(Key, Options) -> [unicode:characters_to_list(F) || F <- maps:get(Key, Options, [])].

first([], _) -> [];
first([{Folder, Kind} | Rest], Name) ->
    Path = filename:absname_join(Folder, Name ++ Kind),
    case filelib:is_regular(Path) of
        true -> [Path];
        false -> first(Rest, Name)
    end.

atoms({atom, _, Atom}) -> [Atom];
atoms(Tuple) when is_tuple(Tuple) -> atoms(tuple_to_list(Tuple));
atoms([Head | Tail]) -> atoms(Head) ++ atoms(Tail);
atoms(_) -> [].

instrumented([], _, _, Sites, Funs) -> {ok, lists:append(lists:reverse(Sites)), Funs};
instrumented([{Module, File, Forms} | Rest], Own, First, Sites, Funs) ->
    {Changed, Found, Next} = adebug_instrument:module(Forms, First, Own),
    case compile:forms(Changed, [binary, return, nowarn_unused_vars]) of
        {ok, Module, Beam, _} ->
            {module, Module} = code:load_binary(Module, File, Beam),
            instrumented(Rest, Own, Next, [Found | Sites], funs(Module, Beam) ++ Funs);
        {error, Errors, _} ->
            {error, text("~ts cannot be recorded: ~ts", [File, messages(Errors)])}
    end.

%% Names of `fun name/1` values, which have only an index in the external term format. The chunk "FunT" is an internal
%% of the BEAM file (OTP 25 to 29); see `beam_lib` and lib/compiler/src/beam_asm.erl in OTP.
funs(Module, Beam) ->
    case beam_lib:chunks(Beam, ["FunT", atoms]) of
        {ok, {_, [{_, <<_:32, Funs/binary>>}, {atoms, Atoms}]}} ->
            [{Module, Index, Name, Arity}
             || <<Atom:32, Arity:32, _:32, Index:32, _:64>> <= Funs,
                {_, Name} <- [lists:keyfind(Atom, 1, Atoms)], hd(atom_to_list(Name)) =/= $-];
        _ -> []
    end.

evaluated(Expression, Module, Plain, Options) ->
    Open = dbg:trace_port(file, filename:join(unicode:characters_to_list(maps:get(folder, Options)), "trace")),
    Port = Open(),
    persistent_term:put({?MODULE, port}, Port),
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> entry(Self, Expression, Module) end),
    erlang:trace_pattern({?MODULE, event, 2}, true, []),
    [erlang:trace_pattern({M, '_', '_'}, [{'_', [], [{exception_trace}]}], [local]) || M <- Plain],
    erlang:trace(Pid, true, [call, procs, send, 'receive', set_on_spawn, {tracer, Port}]),
    Pid ! {?MODULE, go},
    Deadline = case maps:get(timeout, Options, infinity) of
        infinity -> infinity;
        Milliseconds -> erlang:monotonic_time(millisecond) + Milliseconds
    end,
    Ended = awaited(Pid, Ref, Port, Deadline),
    settle(Port, 10),
    Processes = states(Port),
    erlang:trace(all, false, [all]),
    flush(Port),
    port_close(Port),
    Ended#{processes => Processes, entry => Pid, runner => Self}.

entry(Runner, Expression, Module) ->
    receive {?MODULE, go} -> ok end,
    Local = {value, fun(Name, Arguments) -> apply(Module, Name, Arguments) end},
    Ended = try erl_eval:exprs(Expression, erl_eval:new_bindings(), Local) of
        {value, Value, _} -> #{how => finished, value => adebug_values:bounded(Value)}
    catch
        Class:Reason:Stack -> raised(Class, Reason, Stack)
    end,
    Runner ! {?MODULE, self(), Ended},
    receive {?MODULE, over} -> ok end.  % keeps linked processes alive until the VM ends

%% An error of the expression itself, before any recorded code ran, is not a bug of the program.
raised(Class, Reason, Stack) ->
    case atomics:get(persistent_term:get(?MODULE), 1) =:= 0 andalso unusable(Class, Reason, Stack) of
        false ->
            #{how => raised, class => Class, reason => adebug_values:bounded(Reason), stack => adebug_values:bounded(Stack)};
        Problem -> #{how => refused, problem => Problem}
    end.

unusable(error, undef, [{Module, Name, Arguments, _}, {erl_eval, _, _, _} | _]) ->
    text("no such function, or not exported: ~ts", [function(Module, Name, Arguments)]);
unusable(error, {What, Name}, _) when is_atom(Name), (What =:= unbound orelse What =:= unbound_var) ->
    text("variable ~ts is unbound in the expression", [Name]);
unusable(_, _, _) ->
    false.

function(Module, Name, Arguments) -> io_lib:format("~tw:~tw/~b", [Module, Name, if is_list(Arguments) -> length(Arguments); true -> Arguments end]).

%% Runs EUnit tests one after the other, each in a process of its own, so that no frame of one is active in the next.
%% Generators are run by EUnit itself.
tests(Tests) -> {adebug_tests, [{Module, Name, outcome(Module, Name)} || {Module, Name} <- Tests]}.

outcome(Module, Name) ->
    case lists:suffix("_test_", atom_to_list(Name)) of
        true ->
            case eunit:test({generator, Module, Name}) of
                ok -> ok;
                _ -> failed
            end;
        false ->
            Self = self(),
            {Pid, Ref} = spawn_monitor(fun() -> Self ! {?MODULE, self(), tried(Module, Name)} end),
            receive {'DOWN', Ref, process, Pid, Reason} -> ok end,
            receive {?MODULE, Pid, Outcome} -> Outcome after 0 -> {exit, adebug_values:bounded(Reason)} end
    end.

tried(Module, Name) ->
    try Module:Name() of
        _ -> ok
    catch
        Class:Reason -> {Class, adebug_values:bounded(Reason)}
    end.

awaited(Pid, Ref, Port, Deadline) ->
    Now = erlang:monotonic_time(millisecond),
    Patience = case Deadline of infinity -> ?PAUSE; _ -> max(0, min(?PAUSE, Deadline - Now)) end,
    receive
        {?MODULE, Pid, Ended} -> Ended;
        {'DOWN', Ref, process, Pid, Reason} -> #{how => raised, class => exit, reason => adebug_values:bounded(Reason), stack => []}
    after Patience ->
        port_control(Port, $f, []),
        case Deadline =/= infinity andalso erlang:monotonic_time(millisecond) >= Deadline of
            true -> #{how => timeout};
            false -> awaited(Pid, Ref, Port, Deadline)
        end
    end.

%% Gives other processes time to finish.
settle(_, 0) -> ok;
settle(Port, N) ->
    Busy = [Pid || Pid <- traced(Port), process_info(Pid, status) =/= {status, waiting}, is_process_alive(Pid)],
    case Busy of
        [] -> ok;
        _ -> timer:sleep(20), settle(Port, N - 1)
    end.

traced(Port) ->
    [Pid || Pid <- processes(), erlang:trace_info(Pid, tracer) =:= {tracer, Port}].

states(Port) ->
    [{Pid, [Info || Info <- process_info(Pid, [status, current_function, registered_name, messages]), Info =/= {registered_name, []}]}
     || Pid <- traced(Port), is_process_alive(Pid)].

flush(Port) ->
    Ref = erlang:trace_delivered(all),
    receive {trace_delivered, all, Ref} -> ok after 5000 -> ok end,
    port_control(Port, $f, []).

text(Format, Arguments) -> unicode:characters_to_binary(io_lib:format(Format, Arguments)).
