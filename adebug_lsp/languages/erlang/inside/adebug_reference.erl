%% Calls functions of a right version of a program, in a VM of its own, when it is told to.
%%
%% Requests and answers are terms, each with its length, on standard input and output; what the functions print goes
%% nowhere. Every function can be called, exported or not.
-module(adebug_reference).
-export([main/0]).

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
answer(#{tag := Tag, place := Place, module := Module, bindings := Bindings} = Request, Nowhere) ->
    case nodes(Tag, Place, [Form || {function, _, _, _, _} = Form <- forms(Module)]) of
        [Node | _] ->
            case asked(Node, Request) of
                none -> none;
                Expression -> called(fun(_) -> evaluated(Module, Expression, Bindings) end, Request, Nowhere)
            end;
        [] -> none
    end;
answer(#{module := Module, function := Function, arity := Arity, nth := Nth, bindings := Bindings} = Request, Nowhere) ->
    case a_fun(Module, Function, Arity, Nth) of
        {ok, Fun} ->
            called(fun(Given) -> apply(evaluated(Module, Fun, Bindings), Given) end, Request, Nowhere);
        none -> none
    end;
answer(#{module := Module, function := Function} = Request, Nowhere) ->
    called(fun(Given) -> apply(Module, Function, Given) end, Request, Nowhere).

called(Call, #{arguments := Sent, limit := Limit}, Nowhere) ->
    Self = self(),
    Arguments = rebuilt(Sent),
    {Pid, Ref} = spawn_monitor(fun() ->
        group_leader(Nowhere, self()),
        Self ! {answer, self(), try {value, Call(Arguments)} catch Class:Reason -> {raised, {Class, Reason}} end}
    end),
    receive
        {answer, Pid, Answer} -> erlang:demonitor(Ref, [flush]), Answer;
        {'DOWN', Ref, process, Pid, Reason} -> {raised, {exit, Reason}}
    after Limit ->
        exit(Pid, kill),
        timeout
    end.

%% An expression with the values of its variables, where functions of its module can be called by their names.
evaluated(Module, Expression, Bindings) ->
    Records = [Form || {attribute, _, record, _} = Form <- forms(Module)],
    Whole = {function, 1, adebug_expression, 0, [{clause, 1, [], [], [Expression]}]},
    Expanded = erl_expand_records:module(Records ++ [Whole], []),
    [Plain] = [E || {function, _, adebug_expression, 0, [{clause, _, [], [], [E]}]} <- Expanded],
    Bound = orddict:from_list([{binary_to_atom(Name), rebuilt(Value)} || {Name, Value} <- Bindings]),
    {value, Value, _} = erl_eval:expr(Plain, Bound, {value, fun(Name, Given) -> apply(Module, Name, Given) end}),
    Value.

%% A value with its funs, which were sent as where they are written and the values of their variables.
rebuilt({adebug_fun, Module, Function, Arity, Nth, Bindings}) ->
    {ok, Fun} = a_fun(Module, Function, Arity, Nth),
    evaluated(Module, Fun, Bindings);
rebuilt({adebug_fun, Module, Function, Arity}) -> fun Module:Function/Arity;
rebuilt(Tuple) when is_tuple(Tuple) -> list_to_tuple([rebuilt(E) || E <- tuple_to_list(Tuple)]);
rebuilt([Head | Tail]) -> [rebuilt(Head) | rebuilt(Tail)];
rebuilt(Map) when is_map(Map) -> maps:map(fun(_, Value) -> rebuilt(Value) end, Map);
rebuilt(Value) -> Value.

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

%% What to evaluate: the node itself, or which of its clauses matches a value, with the variables that it binds.
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
    [{clause, A, Patterns, Guards, [{integer, 1, N}]}
     || {N, {clause, A, Patterns, Guards, _}} <- lists:zip(lists:seq(1, length(Clauses)), Clauses), lists:member(N, Numbers)].

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
    Folder = filename:dirname(File),
    Includes = [{i, Folder}, {i, filename:join(filename:dirname(Folder), "include")}],
    Options = [binary, debug_info, export_all, nowarn_export_all, return | Includes],
    case compile:file(filename:rootname(File), Options) of
        {ok, Module, Beam, _} ->
            {module, Module} = code:load_binary(Module, File, Beam),
            {ok, {_, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(Beam, [abstract_code]),
            persistent_term:put({?MODULE, Module}, Forms),
            {_, Sites, _} = adebug_rewrite:module(Forms, 1, [Module]),
            load(Rest, [{Module, Sites} | Found]);
        {error, Errors, _} ->
            unicode:characters_to_binary(io_lib:format("~ts cannot be compiled: ~0tp", [File, Errors]))
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
