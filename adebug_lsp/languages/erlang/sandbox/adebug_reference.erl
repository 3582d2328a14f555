%% Calls functions of a right version of a program, in a VM of its own, when it is told to.
%%
%% Requests and answers are terms, each with its length, on standard input and output; what the functions print goes
%% nowhere. Every function can be called, exported or not.
-module(adebug_reference).
-export([main/0, called_with/4, compiled/1, evaluated/4, rebuilt/2, nowhere/0, effect/3, dynamic/3]).

main() ->
    Port = open_port({fd, 0, 1}, [binary, {packet, 4}, eof]),
    Nowhere = spawn(fun nowhere/0),
    loop(Port, Nowhere).

loop(Port, Nowhere) ->
    receive
        {Port, {data, Data}} ->
            port_command(Port, term_to_binary(answer(binary_to_term(Data), Nowhere))),
            loop(Port, Nowhere);
        {Port, eof} ->
            erlang:halt(0);
        _ ->
            loop(Port, Nowhere)
    end.

answer(#{load := Files}, _) ->
    load([unicode:characters_to_list(File) || File <- Files], []);
answer(#{rule := _} = Request, Nowhere) ->
    adebug_rules:answer(Request, Nowhere);
answer(#{tag := Tag, place := Place, module := Module, bindings := Bindings} = Request, Nowhere) ->
    case nodes(Tag, Place, [Form || {function, _, _, _, _} = Form <- forms(Module)]) of
        [Node | _] ->
            case asked(Node, Request) of
                none -> none;
                Expression -> called(fun(_) -> evaluated(Module, Expression, Bindings) end, Request, Nowhere)
            end;
        [] -> none
    end;
answer(#{'fun' := {adebug_fun, Module, Function, Arity, Nth, _} = Fun} = Request, Nowhere) ->
    case a_fun(Module, Function, Arity, Nth) of
        {ok, _} -> called(fun(Given) -> apply(rebuilt(Fun), Given) end, Request, Nowhere);
        none -> none
    end;
answer(#{module := Module, function := Function} = Request, Nowhere) ->
    called(fun(Given) -> apply(Module, Function, Given) end, Request, Nowhere).

called(Call, #{arguments := Sent} = Request, Nowhere) ->
    try rebuilt(Sent) of
        Arguments -> called_with(Arguments, Call, Request, Nowhere)
    catch
        error:_ -> none  % there is no such fun here
    end.

called_with(Arguments, Call, #{limit := Limit} = Request, Nowhere) ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
        group_leader(Nowhere, self()),
        put(?MODULE, maps:get(world, Request, none)),
        {Kind, What} = try {value, Call(Arguments)} catch Class:Reason -> {raised, {Class, Reason}} end,
        Self ! {answer, self(), {Kind, What, told()}}
    end),
    receive
        {answer, Pid, Answer} -> erlang:demonitor(Ref, [flush]), Answer;
        {'DOWN', Ref, process, Pid, killed} -> none;
        {'DOWN', Ref, process, Pid, Reason} -> {raised, {exit, Reason}, []}
    after Limit ->
        exit(Pid, kill),
        timeout
    end.

%% What was done to the world, from the first on.
told() -> receive {?MODULE, Told} -> [Told | told()] after 0 -> [] end.

%% An expression with the values of its variables, where functions of its module can be called by their names. Who
%% answers for what it asks of the world is a module.
evaluated(Module, Expression, Bindings) ->
    Bound = [{Name, rebuilt(Value)} || {Name, Value} <- Bindings],
    evaluated(Module, Expression, Bound, {forms(Module), ?MODULE}).

evaluated(Module, Expression, Bindings, {Forms, Who}) ->
    Records = [Form || {attribute, _, Kind, _} = Form <- Forms, Kind =:= record orelse Kind =:= native_record],
    Whole = {function, 1, adebug_expression, 0, [{clause, 1, [], [], [Expression]}]},
    Expanded = erl_expand_records:module(Records ++ [Whole], []),
    [Plain] = [E || {function, _, adebug_expression, 0, [{clause, _, [], [], [E]}]} <- Expanded],
    Bound = orddict:from_list([{binary_to_atom(Name), Value} || {Name, Value} <- Bindings]),
    Safe = adebug_effects:expression(of_module(Module, Plain), Forms, Who),
    {value, Value, _} = erl_eval:expr(Safe, Bound, {value, fun(Name, Given) -> apply(Module, Name, Given) end}),
    Value.

%% `fun name/1` stands for a function of its module.
of_module(Module, {'fun', A, {function, Name, Arity}}) ->
    {'fun', A, {function, {atom, A, Module}, {atom, A, Name}, {integer, A, Arity}}};
of_module(Module, Tuple) when is_tuple(Tuple) -> list_to_tuple(of_module(Module, tuple_to_list(Tuple)));
of_module(Module, [Head | Tail]) -> [of_module(Module, Head) | of_module(Module, Tail)];
of_module(_, Other) -> Other.

%% A value with its funs, which were sent as where they are written and the values of their variables.
rebuilt(Value) ->
    rebuilt(Value, fun(Module, Function, Arity, Nth, Bindings) ->
        {ok, Fun} = a_fun(Module, Function, Arity, Nth),
        evaluated(Module, Fun, Bindings)
    end).

rebuilt({adebug_fun, Module, Function, Arity, Nth, Bindings}, Make) -> Make(Module, Function, Arity, Nth, Bindings);
rebuilt({adebug_fun, Module, Function, Arity}, _) -> fun Module:Function/Arity;
rebuilt(Tuple, Make) when is_tuple(Tuple) -> list_to_tuple([rebuilt(E, Make) || E <- tuple_to_list(Tuple)]);
rebuilt([Head | Tail], Make) -> [rebuilt(Head, Make) | rebuilt(Tail, Make)];
rebuilt(Map, Make) when is_map(Map) -> maps:map(fun(_, Value) -> rebuilt(Value, Make) end, Map);
rebuilt(Value, _) -> Value.

forms(Module) -> persistent_term:get({?MODULE, Module}, []).

%% All nodes of a kind at a place.
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

%% What to evaluate: the node itself, or which of its clauses matches a value, and what the variables are that it binds.
asked(Node, #{clauses := Numbers}) ->
    case Node of
        {'case', _, _, Clauses} -> matching(Clauses, Numbers);
        {'receive', _, Clauses} -> matching(Clauses, Numbers);
        {'receive', _, Clauses, _, _} -> matching(Clauses, Numbers);
        {'if', _, Clauses} -> chosen({'if', 1, numbered(Clauses, Numbers)}, Clauses, Numbers);
        {'try', _, _, Of, Catch, _} -> matching(if hd(Numbers) < 0 -> Catch; true -> Of end, [abs(N) || N <- Numbers]);
        {'fun', _, {clauses, Clauses}} -> matching(together(Clauses), Numbers);
        {named_fun, _, _, Clauses} -> matching(together(Clauses), Numbers);
        {function, _, _, _, Clauses} -> matching(together(Clauses), Numbers);
        _ -> none
    end;
asked(Node, _) -> Node.

together(Clauses) -> [{clause, A, [{tuple, A, Patterns}], Guards, Body} || {clause, A, Patterns, Guards, Body} <- Clauses].

matching(Clauses, Numbers) ->
    Given = {var, 1, adebug_value},
    chosen({'case', 1, Given, numbered(Clauses, Numbers) ++ [{clause, 1, [{var, 1, '_'}], [], [{atom, 1, none}]}]}, Clauses, Numbers).

chosen(Choice, Clauses, Numbers) ->
    case lists:all(fun(N) -> N =< length(Clauses) end, Numbers) of
        true -> Choice;
        false -> none
    end.

numbered(Clauses, Numbers) ->
    [{clause, A, Patterns, Guards, [{tuple, 1, [{integer, 1, N}, bound(Patterns)]}]}
     || {N, {clause, A, Patterns, Guards, _}} <- lists:zip(lists:seq(1, length(Clauses)), Clauses), lists:member(N, Numbers)].

%% What patterns bind: the names of variables with their values.
bound(Patterns) ->
    Named = [{tuple, 1, [{atom, 1, Name}, {var, 1, Name}]} || Name <- lists:usort(variables(Patterns)), Name =/= '_'],
    lists:foldr(fun(Pair, Rest) -> {cons, 1, Pair, Rest} end, {nil, 1}, Named).

variables({var, _, Name}) -> [Name];
variables(Tuple) when is_tuple(Tuple) -> variables(tuple_to_list(Tuple));
variables([Head | Tail]) -> variables(Head) ++ variables(Tail);
variables(_) -> [].

%% The nth fun that is written in a function.
a_fun(Module, Function, Arity, Nth) ->
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
    try compiled(File) of
        {Module, Forms, _} ->
            Safe = adebug_effects:answered(Forms, ?MODULE),
            {ok, Module, Beam, _} = compile:forms(Safe, [binary, return, export_all, nowarn_export_all]),
            {module, Module} = code:load_binary(Module, File, Beam),
            persistent_term:put({?MODULE, Module}, Forms),
            {_, Sites, _} = adebug_instrument:module(Forms, 1, [Module]),
            load(Rest, [{Module, Sites} | Found])
    catch
        throw:Problem -> Problem
    end.

%% A module, its abstract code and its file.
compiled(File) ->
    Folder = filename:dirname(File),
    Includes = [{i, Folder}, {i, filename:join(filename:dirname(Folder), "include")}],
    case compile:file(filename:rootname(File), [binary, debug_info, return | Includes]) of
        {ok, Module, Beam, _} ->
            {ok, {_, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(Beam, [abstract_code]),
            {Module, [Form || Form <- Forms, not adebug_instrument:transforms(Form)], File};
        {error, Errors, _} ->
            throw(unicode:characters_to_binary(io_lib:format("~ts cannot be compiled: ~0tp", [File, Errors])))
    end.

%% What code asks of the world while it is called apart. Without a world around it, it may do something to itself only.
%% Otherwise it is answered as the recorded code was, if that asked the same; what it does is told, and goes no further.

effect(erlang, apply, [Fun, Given]) when is_function(Fun) -> apply(Fun, Given);
effect(erlang, apply, [Module, Name, Given]) -> dynamic(Module, Name, Given);
effect(Module, Name, Given) ->
    case get(?MODULE) of
        none when Module =:= erlang, (Name =:= get orelse Name =:= put orelse Name =:= erase) -> apply(erlang, Name, Given);
        none -> exit(self(), kill);
        World -> answered(Module, Name, Given, World)
    end.

answered(erlang, self, [], {Self, _}) -> Self;
answered(erlang, send, [_, Message] = Given, _) ->
    self() ! {?MODULE, {erlang, send, Given}},
    Message;
answered(Module, Name, Given, {Self, Answers}) ->
    Same = fun({M, N, Recorded, _, _}) -> {M, N, length(Recorded)} =/= {Module, Name, length(Given)} end,
    case lists:splitwith(Same, Answers) of
        {Before, [{_, _, Recorded, Changes, Answer} | After]} when Changes; Recorded =:= Given ->
            self() ! {?MODULE, {Module, Name, Given}},
            put(?MODULE, {Self, Before ++ After}),
            rebuilt(Answer);
        _ -> exit(self(), kill)
    end.

dynamic(Module, Name, Given) ->
    case adebug_effects:is_effect(Module, {Name, length(Given)}) of
        true -> effect(Module, Name, Given);
        false -> apply(Module, Name, Given)
    end.

%% Takes what is printed, and says that all is well.
nowhere() ->
    receive
        {io_request, From, As, Request} -> From ! {io_reply, As, reply(Request)};
        _ -> ok
    end,
    nowhere().

reply(Request) when element(1, Request) =:= get_line; element(1, Request) =:= get_until; element(1, Request) =:= get_chars -> eof;
reply({requests, Requests}) -> reply(lists:last(Requests));
reply(_) -> ok.
