%% Evaluates an expression on this VM and writes down what rewritten code did on the way.
%%
%% Events are calls of `event/2`, which does nothing and is traced, into a file by the VM itself: they stand in one
%% order with messages, spawns and exits, and what a killed process did is kept. What the program prints is its own;
%% how it ended is in a file beside the trace.
-module(adebug_recorder).
-export([main/0, tests/1]).
-export([enter/4, enter_fun/5, none/2, value/3, bound/4, chose/5, waits/2, turn/3, calls/2, tail/2, returns/2, decides/3]).
-export([event/2]).

-define(MOST, 4096).   % parts of a value that are kept whole
-define(SOME, 32).     % parts of each structure of a larger one
-define(DEEP, 8).
-define(PAUSE, 100).   % milliseconds between two times that the trace is flushed

%% What rewritten code calls

enter(Site, Clause, Given, Variables) ->
    Frame = frame(),
    ?MODULE:event(<<$c, Frame:48, Site:32, Clause:16>>, {bounded_all(Given), bounded_all(Variables)}),
    Frame.

enter_fun(Site, Clause, Given, Variables, {adebug_fun, Definer, _}) ->
    Frame = frame(),
    ?MODULE:event(<<$f, Frame:48, Site:32, Clause:16>>, {bounded_all(Given), bounded_all(Variables), Definer}),
    Frame.

none(Site, Given) ->
    Frame = frame(),
    ?MODULE:event(<<$n, Frame:48, Site:32, 0:16>>, {bounded_all(Given), []}).

value(Frame, Site, Value) ->
    ?MODULE:event(<<$v, Frame:48, Site:32, 0:16>>, bounded(Value)),
    Value.

bound(Frame, Site, Value, Variables) ->
    ?MODULE:event(<<$m, Frame:48, Site:32, 0:16>>, {bounded(Value), bounded_all(Variables)}).

chose(Frame, Site, Clause, Value, Variables) ->
    ?MODULE:event(<<$k, Frame:48, Site:32, Clause:16>>, {bounded(Value), bounded_all(Variables)}).

waits(Frame, Site) ->
    ?MODULE:event(<<$w, Frame:48, Site:32, 0:16>>, []).

turn(Frame, Site, Variables) ->
    ?MODULE:event(<<$g, Frame:48, Site:32, 0:16>>, bounded_all(Variables)).

calls(Frame, Site) ->
    ?MODULE:event(<<$s, Frame:48, Site:32, 0:16>>, []).

tail(Frame, Site) ->
    ?MODULE:event(<<$t, Frame:48, Site:32, 0:16>>, []).

returns(Frame, Value) ->
    ?MODULE:event(<<$r, Frame:48, 0:32, 0:16>>, bounded(Value)),
    Value.

%% The left side of `andalso` or `orelse`, which may be the result.
decides(Frame, Value, Value) when is_boolean(Value) -> returns(Frame, Value);
decides(_Frame, _Deciding, Value) -> Value.

event(_What, _Values) -> ok.

frame() -> atomics:add_get(persistent_term:get(?MODULE), 1, 1).

%% Values are kept whole up to a size; beyond it there are marks where something is left out.

bounded_all(Values) -> [bounded(Value) || Value <- Values].

bounded(Value) when is_atom(Value); is_integer(Value); is_float(Value); is_pid(Value) -> Value;
bounded(Value) ->
    case room(Value, ?MOST) of
        Left when Left >= 0 -> Value;
        _ -> cut(Value, ?DEEP)
    end.

room(_, Left) when Left < 0 -> Left;
room([Head | Tail], Left) -> room(Tail, room(Head, Left - 1));
room(Tuple, Left) when is_tuple(Tuple) -> room_in_tuple(Tuple, tuple_size(Tuple), Left - 1);
room(Map, Left) when is_map(Map), map_size(Map) > Left -> -1;
room(Map, Left) when is_map(Map) -> maps:fold(fun(K, V, Rest) -> room(V, room(K, Rest)) end, Left - 1, Map);
room(Bits, Left) when is_bitstring(Bits) -> Left - 1 - byte_size(Bits) div 4;
room(Fun, Left) when is_function(Fun) -> room(environment(Fun), Left - 1);
room(Big, Left) when is_integer(Big), (Big > 1 bsl 512 orelse Big < -(1 bsl 512)) -> Left - 64;
room(_, Left) -> Left - 1.

room_in_tuple(_, _, Left) when Left < 0 -> Left;
room_in_tuple(_, 0, Left) -> Left;
room_in_tuple(Tuple, N, Left) -> room_in_tuple(Tuple, N - 1, room(element(N, Tuple), Left)).

environment(Fun) ->
    case erlang:fun_info(Fun, type) of
        {type, local} -> element(2, erlang:fun_info(Fun, env));
        _ -> []
    end.

cut(_, 0) -> '$adebug_deep';
cut(List, Depth) when is_list(List) -> cut_list(List, ?SOME, Depth - 1);
cut(Tuple, Depth) when is_tuple(Tuple), tuple_size(Tuple) =< ?SOME ->
    list_to_tuple([cut(E, Depth - 1) || E <- tuple_to_list(Tuple)]);
cut(Tuple, Depth) when is_tuple(Tuple) ->
    Kept = [cut(element(N, Tuple), Depth - 1) || N <- lists:seq(1, ?SOME)],
    list_to_tuple(Kept ++ [{'$adebug_more', tuple_size(Tuple) - ?SOME}]);
cut(Map, Depth) when is_map(Map), map_size(Map) =< ?SOME ->
    maps:map(fun(_, V) -> cut(V, Depth - 1) end, Map);
cut(Map, Depth) when is_map(Map) ->
    Kept = lists:sublist(maps:to_list(maps:with(lists:sublist(maps:keys(Map), ?SOME), Map)), ?SOME),
    maps:from_list([{'$adebug_more', map_size(Map) - ?SOME} | [{K, cut(V, Depth - 1)} || {K, V} <- Kept]]);
cut(Bits, _) when is_bitstring(Bits), byte_size(Bits) > 256 ->
    {'$adebug_bits', binary:part(<<Bits/bitstring, 0:((8 - bit_size(Bits) rem 8) rem 8)>>, 0, 256), bit_size(Bits)};
cut(Fun, _) when is_function(Fun) ->
    case room(Fun, ?MOST) of
        Left when Left >= 0 -> Fun;
        _ -> '$adebug_deep'
    end;
cut(Big, _) when is_integer(Big), (Big > 1 bsl 8192 orelse Big < -(1 bsl 8192)) -> '$adebug_deep';
cut(Other, _) -> Other.

cut_list([], _, _) -> [];
cut_list([Head | Tail], N, Depth) when N > 0 -> [cut(Head, Depth) | cut_list(Tail, N - 1, Depth)];
cut_list([_ | _] = Rest, _, _) -> [{'$adebug_more', long(Rest, 0)}];
cut_list(Tail, _, Depth) -> cut(Tail, Depth).

long([_ | Rest], N) -> long(Rest, N + 1);
long(_, N) -> N.

%% The run

main() ->
    [File] = init:get_plain_arguments(),
    persistent_term:put(?MODULE, atomics:new(1, [])),  % a module may run code of its own when it is loaded
    {ok, Content} = file:read_file(File),
    Options = binary_to_term(Content),
    Folder = maps:get(folder, Options),
    Ended = try prepared(Options) of
        {ok, Expression, Module, Sites} ->
            write(Folder, "sites", Sites),
            evaluated(Expression, Module, Options);
        {error, Problem} ->
            #{how => refused, problem => Problem}
    catch
        Class:Reason:Stack ->
            #{how => refused, problem => text("the recorder failed: ~0p:~0p ~0p", [Class, Reason, Stack])}
    end,
    write(Folder, "ended", Ended),
    erlang:halt(0, [{flush, true}]).

write(Folder, Name, Term) ->
    Path = filename:join(Folder, Name),
    ok = file:write_file(Path, term_to_binary(Term)).

prepared(#{modules := Given, expression := Text} = Options) ->
    code:add_pathsa([unicode:characters_to_list(P) || P <- maps:get(paths, Options, [])]),
    case expression(unicode:characters_to_list(Text)) of
        {error, _} = Error -> Error;
        {ok, Expression} ->
            case all_forms([filename:absname(unicode:characters_to_list(F)) || F <- Given], Options, []) of
                {error, _} = Error -> Error;
                {ok, []} -> {ok, Expression, none, #{modules => [], sites => []}};
                {ok, Forms} -> loaded(Forms, Expression)
            end
    end.

loaded(Forms, Expression) ->
    Own = [Module || {Module, _, _} <- Forms],
    case rewritten(Forms, Own, 1, []) of
        {error, _} = Error -> Error;
        {ok, Sites} ->
            Files = [{Module, unicode:characters_to_binary(File)} || {Module, File, _} <- Forms],
            {ok, Expression, hd(Own), #{modules => Files, sites => Sites}}
    end.

expression(Text) ->
    Full = case lists:reverse(string:trim(Text)) of
        [$. | _] -> Text;
        _ -> Text ++ "."
    end,
    case erl_scan:string(Full) of
        {ok, Tokens, _} ->
            case erl_parse:parse_exprs(Tokens) of
                {ok, Expressions} -> {ok, Expressions};
                {error, {_, Module, What}} -> {error, text("the expression ~ts cannot be read: ~ts", [Text, Module:format_error(What)])}
            end;
        {error, {_, Module, What}, _} ->
            {error, text("the expression ~ts cannot be read: ~ts", [Text, Module:format_error(What)])}
    end.

%% The program, and every module beside it that it names.

all_forms([], _, Found) -> {ok, lists:reverse(Found)};
all_forms([File | Rest], Options, Found) ->
    case lists:keymember(File, 2, Found) of
        true -> all_forms(Rest, Options, Found);
        false ->
            case forms(File, Options) of
                {ok, Module, Forms} ->
                    all_forms(Rest ++ beside(File, Forms, Options), Options, [{Module, File, Forms} | Found]);
                {error, _} when Found =/= [] -> all_forms(Rest, Options, Found);
                {error, _} = Error -> Error
            end
    end.

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
    case beam_lib:chunks(Beam, [abstract_code]) of
        {ok, {Module, [{abstract_code, {raw_abstract_v1, Forms}}]}} -> {ok, Module, Forms};
        {ok, {_, _}} -> {error, text("~ts has no debug_info", [File])};
        {error, _, Why} -> {error, text("~ts: ~ts", [File, beam_lib:format_error(Why)])}
    end.

messages(Errors) ->
    lists:join("; ", [message(File, Error) || {File, All} <- Errors, Error <- All]).

message(File, {Where, Module, What}) ->
    Place = case Where of
        {Line, Column} -> io_lib:format("~b:~b: ", [Line, Column]);
        Line when is_integer(Line) -> io_lib:format("~b: ", [Line]);
        _ -> ""
    end,
    io_lib:format("~ts:~ts~ts", [File, Place, Module:format_error(What)]).

beside(File, Forms, Options) ->
    Folders = [filename:dirname(File) | [unicode:characters_to_list(F) || F <- maps:get(sources, Options, [])]],
    Atoms = lists:usort(atoms(Forms)),
    [Path || Atom <- Atoms, Folder <- Folders,
             Path <- [filename:absname_join(Folder, atom_to_list(Atom) ++ ".erl")], filelib:is_regular(Path)].

atoms({atom, _, Atom}) -> [Atom];
atoms(Tuple) when is_tuple(Tuple) -> atoms(tuple_to_list(Tuple));
atoms([Head | Tail]) -> atoms(Head) ++ atoms(Tail);
atoms(_) -> [].

rewritten([], _, _, Sites) -> {ok, lists:append(lists:reverse(Sites))};
rewritten([{Module, File, Forms} | Rest], Own, First, Sites) ->
    {Changed, Found, Next} = adebug_rewrite:module(Forms, First, Own),
    case compile:forms(Changed, [binary, return, nowarn_unused_vars]) of
        {ok, Module, Beam, _} ->
            {module, Module} = code:load_binary(Module, File, Beam),
            rewritten(Rest, Own, Next, [Found | Sites]);
        {error, Errors, _} ->
            {error, text("~ts cannot be recorded: ~ts", [File, messages(Errors)])}
    end.

evaluated(Expression, Module, Options) ->
    Open = dbg:trace_port(file, filename:join(unicode:characters_to_list(maps:get(folder, Options)), "trace")),
    Port = Open(),
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> entry(Self, Expression, Module) end),
    erlang:trace_pattern({?MODULE, event, 2}, true, []),
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
        {value, Value, _} -> #{how => finished, value => bounded(Value)}
    catch
        Class:Reason:Stack -> #{how => raised, class => Class, reason => bounded(Reason), stack => bounded(Stack)}
    end,
    Runner ! {?MODULE, self(), Ended},
    receive {?MODULE, over} -> ok end.  % what is linked to this process lives on until the VM ends

%% EUnit's tests, one after the other, each in a process of its own: what one left under way does not stand around the
%% next. What a generator gives, EUnit itself runs.
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
            receive {?MODULE, Pid, Outcome} -> Outcome after 0 -> {exit, bounded(Reason)} end
    end.

tried(Module, Name) ->
    try Module:Name() of
        _ -> ok
    catch
        Class:Reason -> {Class, bounded(Reason)}
    end.

awaited(Pid, Ref, Port, Deadline) ->
    Now = erlang:monotonic_time(millisecond),
    Patience = case Deadline of infinity -> ?PAUSE; _ -> max(0, min(?PAUSE, Deadline - Now)) end,
    receive
        {?MODULE, Pid, Ended} -> Ended;
        {'DOWN', Ref, process, Pid, Reason} -> #{how => raised, class => exit, reason => bounded(Reason), stack => []}
    after Patience ->
        port_control(Port, $f, []),
        case Deadline =/= infinity andalso erlang:monotonic_time(millisecond) >= Deadline of
            true -> #{how => timeout};
            false -> awaited(Pid, Ref, Port, Deadline)
        end
    end.

%% Other processes may finish what they are at.
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
