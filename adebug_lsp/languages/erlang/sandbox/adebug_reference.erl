%% Serves requests on a separate VM: calls functions of a reference version of a program, and evaluates rules.
%%
%% Requests and answers are external terms with a 4-byte length prefix on standard input and output; the output of the
%% functions is discarded. Every function can be called, exported or not.
-module(adebug_reference).
-export([main/0, run_limited/4, compile_module/1, evaluate/4, rebuild/2, discard_output/0, effect/3, dynamic/3]).

main() ->
    Port = open_port({fd, 0, 1}, [binary, {packet, 4}, eof]),
    NullDevice = spawn(fun discard_output/0),
    loop(Port, NullDevice).

loop(Port, NullDevice) ->
    receive
        {Port, {data, Data}} ->
            port_command(Port, term_to_binary(answer(binary_to_term(Data), NullDevice))),
            loop(Port, NullDevice);
        {Port, eof} ->
            erlang:halt(0);
        _ ->
            loop(Port, NullDevice)
    end.

answer(#{load := Files}, _) ->
    load([unicode:characters_to_list(File) || File <- Files], []);
answer(#{rule := _} = Request, NullDevice) ->
    adebug_rules:answer(Request, NullDevice);
answer(#{tag := Tag, place := Place, module := Module, bindings := Bindings} = Request, NullDevice) ->
    case nodes(Tag, Place, [Form || {function, _, _, _, _} = Form <- forms(Module)]) of
        [Node | _] ->
            case expression_for(Node, Request) of
                none -> none;
                Expression -> call_rebuilt(fun(_) -> evaluate(Module, Expression, Bindings) end, Request, NullDevice)
            end;
        [] -> none
    end;
answer(#{'fun' := {adebug_fun, Module, Function, Arity, Nth, _} = Fun} = Request, NullDevice) ->
    case nth_fun(Module, Function, Arity, Nth) of
        {ok, _} -> call_rebuilt(fun(Arguments) -> apply(rebuild(Fun), Arguments) end, Request, NullDevice);
        none -> none
    end;
answer(#{module := Module, function := Function} = Request, NullDevice) ->
    call_rebuilt(fun(Arguments) -> apply(Module, Function, Arguments) end, Request, NullDevice).

call_rebuilt(Call, #{arguments := Sent} = Request, NullDevice) ->
    try rebuild(Sent) of
        Arguments -> run_limited(Arguments, Call, Request, NullDevice)
    catch
        error:_ -> none  % the reference has no such fun
    end.

run_limited(Arguments, Call, #{limit := Limit} = Request, NullDevice) ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
        group_leader(NullDevice, self()),
        put(?MODULE, maps:get(world, Request, none)),
        {Kind, What} = try {value, Call(Arguments)} catch Class:Reason -> {raised, {Class, Reason}} end,
        Self ! {answer, self(), {Kind, What, reported_effects()}}
    end),
    receive
        {answer, Pid, Answer} -> erlang:demonitor(Ref, [flush]), Answer;
        {'DOWN', Ref, process, Pid, killed} -> none;
        {'DOWN', Ref, process, Pid, Reason} -> {raised, {exit, Reason}, []}
    after Limit ->
        exit(Pid, kill),
        timeout
    end.

%% Reported effects, in order.
reported_effects() -> receive {?MODULE, Effect} -> [Effect | reported_effects()] after 0 -> [] end.

%% Evaluates an expression with bound variables; functions of its module can be called by name. Effects are redirected
%% to the handler module, records are expanded as the compiler does (`erl_expand_records` is an internal of OTP 25 to 29,
%% `erl_eval`: https://www.erlang.org/doc/apps/stdlib/erl_eval.html).
evaluate(Module, Expression, Bindings) ->
    Bound = [{Name, rebuild(Value)} || {Name, Value} <- Bindings],
    evaluate(Module, Expression, Bound, {forms(Module), ?MODULE}).

evaluate(Module, Expression, Bindings, {Forms, Handler}) ->
    Records = [Form || {attribute, _, Kind, _} = Form <- Forms, Kind =:= record orelse Kind =:= native_record],
    Whole = {function, 1, adebug_expression, 0, [{clause, 1, [], [], [Expression]}]},
    Expanded = erl_expand_records:module(Records ++ [Whole], []),
    [Plain] = [E || {function, _, adebug_expression, 0, [{clause, _, [], [], [E]}]} <- Expanded],
    Bound = orddict:from_list([{binary_to_atom(Name), Value} || {Name, Value} <- Bindings]),
    Safe = adebug_effects:redirect_expression(qualified(Module, Plain), Forms, Handler),
    {value, Value, _} = erl_eval:expr(Safe, Bound, {value, fun(Name, Arguments) -> apply(Module, Name, Arguments) end}),
    Value.

%% Qualifies `fun name/1` with its module.
qualified(Module, {'fun', A, {function, Name, Arity}}) ->
    {'fun', A, {function, {atom, A, Module}, {atom, A, Name}, {integer, A, Arity}}};
qualified(Module, Tuple) when is_tuple(Tuple) -> list_to_tuple(qualified(Module, tuple_to_list(Tuple)));
qualified(Module, [Head | Tail]) -> [qualified(Module, Head) | qualified(Module, Tail)];
qualified(_, Other) -> Other.

%% Rebuilds the funs in a value, which are sent as their source position and captured variables.
rebuild(Value) ->
    rebuild(Value, fun(Module, Function, Arity, Nth, Bindings) ->
        {ok, Fun} = nth_fun(Module, Function, Arity, Nth),
        evaluate(Module, Fun, Bindings)
    end).

rebuild({adebug_fun, Module, Function, Arity, Nth, Bindings}, Make) -> Make(Module, Function, Arity, Nth, Bindings);
rebuild({adebug_fun, Module, Function, Arity}, _) -> fun Module:Function/Arity;
rebuild(Tuple, Make) when is_tuple(Tuple) -> list_to_tuple([rebuild(E, Make) || E <- tuple_to_list(Tuple)]);
rebuild([Head | Tail], Make) -> [rebuild(Head, Make) | rebuild(Tail, Make)];
rebuild(Map, Make) when is_map(Map) -> maps:map(fun(_, Value) -> rebuild(Value, Make) end, Map);
rebuild(Value, _) -> Value.

forms(Module) -> persistent_term:get({?MODULE, Module}, []).

%% All nodes of abstract code with a tag at a position.
nodes(Tag, Place, Node) when is_tuple(Node), tuple_size(Node) > 1, element(1, Node) =:= Tag ->
    case is_at(Place, element(2, Node)) of
        true -> [Node];
        false -> nodes(Tag, Place, tl(tuple_to_list(Node)))
    end;
nodes(Tag, Place, Node) when is_tuple(Node) -> nodes(Tag, Place, tuple_to_list(Node));
nodes(Tag, Place, [Head | Tail]) -> nodes(Tag, Place, Head) ++ nodes(Tag, Place, Tail);
nodes(_, _, _) -> [].

is_at(Place, Anno) ->
    try erl_anno:location(Anno) =:= Place catch error:_ -> false end.

%% The expression to evaluate: the node, or a choice that returns which of its clauses matches, and its bindings.
expression_for(Node, #{clauses := Numbers}) ->
    case Node of
        {'case', _, _, Clauses} -> matching_clause(Clauses, Numbers);
        {'receive', _, Clauses} -> matching_clause(Clauses, Numbers);
        {'receive', _, Clauses, _, _} -> matching_clause(Clauses, Numbers);
        {'if', _, Clauses} -> if_all_exist({'if', 1, numbered(Clauses, Numbers)}, Clauses, Numbers);
        {'try', _, _, Of, Catch, _} -> matching_clause(if hd(Numbers) < 0 -> Catch; true -> Of end, [abs(N) || N <- Numbers]);
        {'fun', _, {clauses, Clauses}} -> matching_clause(as_tuple_clauses(Clauses), Numbers);
        {named_fun, _, _, Clauses} -> matching_clause(as_tuple_clauses(Clauses), Numbers);
        {function, _, _, _, Clauses} -> matching_clause(as_tuple_clauses(Clauses), Numbers);
        _ -> none
    end;
expression_for(Node, _) -> Node.

as_tuple_clauses(Clauses) -> [{clause, A, [{tuple, A, Patterns}], Guards, Body} || {clause, A, Patterns, Guards, Body} <- Clauses].

matching_clause(Clauses, Numbers) ->
    Arguments = {var, 1, adebug_value},
    if_all_exist({'case', 1, Arguments, numbered(Clauses, Numbers) ++ [{clause, 1, [{var, 1, '_'}], [], [{atom, 1, none}]}]}, Clauses, Numbers).

if_all_exist(Choice, Clauses, Numbers) ->
    case lists:all(fun(N) -> N =< length(Clauses) end, Numbers) of
        true -> Choice;
        false -> none
    end.

numbered(Clauses, Numbers) ->
    [{clause, A, Patterns, Guards, [{tuple, 1, [{integer, 1, N}, bound(Patterns)]}]}
     || {N, {clause, A, Patterns, Guards, _}} <- lists:zip(lists:seq(1, length(Clauses)), Clauses), lists:member(N, Numbers)].

%% Expression for the bindings of patterns: names with values.
bound(Patterns) ->
    Named = [{tuple, 1, [{atom, 1, Name}, {var, 1, Name}]} || Name <- lists:usort(variables(Patterns)), Name =/= '_'],
    lists:foldr(fun(Pair, Rest) -> {cons, 1, Pair, Rest} end, {nil, 1}, Named).

variables({var, _, Name}) -> [Name];
variables(Tuple) when is_tuple(Tuple) -> variables(tuple_to_list(Tuple));
variables([Head | Tail]) -> variables(Head) ++ variables(Tail);
variables(_) -> [].

%% The nth fun in the text of a function.
nth_fun(Module, Function, Arity, Nth) ->
    Found = [Fun || {function, _, Name, N, Clauses} <- forms(Module), Name =:= Function, N =:= Arity, Fun <- funs(Clauses)],
    case length(Found) >= Nth of
        true -> {ok, lists:nth(Nth, Found)};
        false -> none
    end.

funs({'fun', _, {clauses, Clauses}} = Fun) -> [Fun | funs(Clauses)];
funs({named_fun, _, _, Clauses} = Fun) -> [Fun | funs(Clauses)];
funs(Tuple) when is_tuple(Tuple) -> funs(tuple_to_list(Tuple));
funs([Head | Tail]) -> funs(Head) ++ funs(Tail);
funs(_) -> [].

load([], Found) -> {ok, Found};
load([File | Rest], Found) ->
    try compile_module(File) of
        {Module, Forms, _} ->
            Safe = adebug_effects:redirect(Forms, ?MODULE),
            {ok, Module, Beam, _} = compile:forms(Safe, [binary, return, export_all, nowarn_export_all]),
            {module, Module} = code:load_binary(Module, File, Beam),
            persistent_term:put({?MODULE, Module}, Forms),
            {_, Sites, _} = adebug_instrument:module(Forms, 1, [Module]),
            load(Rest, [{Module, Sites} | Found])
    catch
        throw:Problem -> Problem
    end.

%% Compiles a file; returns the module, its abstract code and the file.
compile_module(File) ->
    Folder = filename:dirname(File),
    Includes = [{i, Folder}, {i, filename:join(filename:dirname(Folder), "include")}],
    case compile:file(filename:rootname(File), [binary, debug_info, return | Includes]) of
        {ok, Module, Beam, _} ->
            {ok, {_, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(Beam, [abstract_code]),
            {Module, [Form || Form <- Forms, not adebug_instrument:transforms(Form)], File};
        {error, Errors, _} ->
            throw(unicode:characters_to_binary(io_lib:format("~ts cannot be compiled: ~0tp", [File, Errors])))
    end.

%% Handler of effects; see adebug_effects:redirect/2. Without a recorded world, code may use its process dictionary only.
%% Otherwise a call returns what the same call returned in the recording; writes are reported and not performed.

effect(erlang, apply, [Fun, Arguments]) when is_function(Fun) -> apply(Fun, Arguments);
effect(erlang, apply, [Module, Name, Arguments]) -> dynamic(Module, Name, Arguments);
effect(Module, Name, Arguments) ->
    case get(?MODULE) of
        none when Module =:= erlang, (Name =:= get orelse Name =:= put orelse Name =:= erase) -> apply(erlang, Name, Arguments);
        none -> exit(self(), kill);
        World -> recorded_answer(Module, Name, Arguments, World)
    end.

recorded_answer(erlang, self, [], {Self, _}) -> Self;
recorded_answer(erlang, send, [_, Message] = Arguments, _) ->
    self() ! {?MODULE, {erlang, send, Arguments}},
    Message;
recorded_answer(Module, Name, Arguments, {Self, Answers}) ->
    Same = fun({M, N, Recorded, _, _}) -> {M, N, length(Recorded)} =/= {Module, Name, length(Arguments)} end,
    case lists:splitwith(Same, Answers) of
        {Before, [{_, _, Recorded, Changes, Answer} | After]} when Changes; Recorded =:= Arguments ->
            self() ! {?MODULE, {Module, Name, Arguments}},
            put(?MODULE, {Self, Before ++ After}),
            rebuild(Answer);
        _ -> exit(self(), kill)
    end.

dynamic(Module, Name, Arguments) ->
    case adebug_effects:is_effect(Module, {Name, length(Arguments)}) of
        true -> effect(Module, Name, Arguments);
        false -> apply(Module, Name, Arguments)
    end.

%% Group leader that discards all output.
%% Protocol: https://www.erlang.org/doc/apps/stdlib/io_protocol.html
discard_output() ->
    receive
        {io_request, From, As, Request} -> From ! {io_reply, As, reply(Request)};
        _ -> ok
    end,
    discard_output().

reply(Request) when element(1, Request) =:= get_line; element(1, Request) =:= get_until; element(1, Request) =:= get_chars -> eof;
reply({requests, Requests}) -> reply(lists:last(Requests));
reply(_) -> ok.
