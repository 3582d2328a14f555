%% Evaluates rules that a person typed, such as `lists:sort(Result) =:= Result`, on recorded values.
%%
%% A rule may call pure functions only: by name, those of the modules and of `erlang` that the request lists, and the
%% funs that it makes itself.
-module(adebug_rules).
-export([answer/2]).

-define(HEAP, 50000000).  % words of heap that an evaluation may use

%% Returns `{read, Names}` with the variables of a rule, `{bad, Problem}`, `{value, Boolean}`, or `none`.
answer(#{rule := Text} = Request, NullDevice) ->
    case parse(unicode:characters_to_list(Text)) of
        {ok, Expressions} ->
            try
                check_calls(Expressions, Request),
                evaluate(Expressions, Request, NullDevice)
            catch
                throw:{bad, _} = Bad -> Bad
            end;
        Bad -> Bad
    end.

evaluate(Expressions, #{bindings := Bindings} = Request, NullDevice) ->
    Bound = orddict:from_list([{binary_to_atom(Name), Value} || {Name, Value} <- Bindings]),
    Call = fun([]) ->
        process_flag(max_heap_size, #{size => ?HEAP, kill => true, error_logger => false}),
        {value, Value, _} = erl_eval:exprs(Expressions, Bound, none, {value, fun(What, Arguments) -> call_allowed(What, Arguments, Request) end}),
        Value
    end,
    case adebug_reference:run_limited([], Call, Request, NullDevice) of
        {value, Value, _} when is_boolean(Value) -> {value, Value};
        _ -> none
    end;
evaluate(Expressions, _, _) ->
    {read, lists:usort([atom_to_binary(Name) || Name <- variables(Expressions)])}.

parse(Text) ->
    Full = case lists:reverse(string:trim(Text)) of
        [$. | _] -> Text;
        _ -> Text ++ "."
    end,
    case erl_scan:string(Full) of
        {ok, Tokens, _} ->
            case erl_parse:parse_exprs(Tokens) of
                {ok, Expressions} -> {ok, Expressions};
                {error, {_, Module, What}} -> bad("~ts", [Module:format_error(What)])
            end;
        {error, {_, Module, What}, _} -> bad("~ts", [Module:format_error(What)])
    end.

bad(Format, Arguments) -> {bad, unicode:characters_to_binary(io_lib:format(Format, Arguments))}.

%% Checks the calls in the text of a rule; computed calls are checked while it is evaluated.
check_calls({call, _, {remote, _, {atom, _, Module}, {atom, _, Name}}, Arguments}, Request) ->
    check_allowed(Module, Name, length(Arguments), Request),
    check_calls(Arguments, Request);
check_calls({call, _, {atom, _, Name}, Arguments}, Request) ->
    check_allowed(erlang, Name, length(Arguments), Request),
    check_calls(Arguments, Request);
check_calls({'fun', _, {function, Name, Arity}}, Request) ->
    check_allowed(erlang, Name, Arity, Request);
check_calls({'fun', _, {function, {atom, _, Module}, {atom, _, Name}, {integer, _, Arity}}}, Request) ->
    check_allowed(Module, Name, Arity, Request);
check_calls({'fun', _, {function, _, _, _}}, _) ->
    throw(bad("name the function of `fun` explicitly", []));
check_calls({remote, _, _, _}, _) ->
    throw(bad("name the called function explicitly", []));
check_calls({op, _, '!', _, _}, _) ->
    throw(bad("a rule must not send a message", []));
check_calls(Receive, _) when element(1, Receive) =:= 'receive' ->
    throw(bad("a rule must not wait for a message", []));
check_calls(Tuple, Request) when is_tuple(Tuple) ->
    check_calls(tuple_to_list(Tuple), Request);
check_calls([Head | Tail], Request) ->
    check_calls(Head, Request),
    check_calls(Tail, Request);
check_calls(_, _) ->
    ok.

check_allowed(Module, Name, Arity, Request) ->
    code:ensure_loaded(Module),
    Exists = erlang:function_exported(Module, Name, Arity) orelse erlang:is_builtin(Module, Name, Arity),
    case is_listed(Module, Name, Request) of
        true when Exists -> ok;
        true -> throw(bad("no such function: ~tw:~tw/~b", [Module, Name, Arity]));
        false -> throw(bad("a rule cannot call ~tw:~tw/~b, only pure functions of OTP "
                           "and none of the program", [Module, Name, Arity]))
    end.

is_listed(erlang, Name, #{functions := Functions}) -> lists:member(atom_to_binary(Name), Functions);
is_listed(Module, _, #{modules := Modules}) -> lists:member(atom_to_binary(Module), Modules).

%% Handler of calls during the evaluation, including operators, which are functions of `erlang`.
call_allowed({Module, Name}, Arguments, Request) ->
    true = is_listed(Module, Name, Request) orelse (Module =:= erlang andalso erl_internal:op_type(Name, length(Arguments)) =/= send),
    apply(Module, Name, Arguments);
call_allowed(Fun, Arguments, _) when is_function(Fun) ->
    apply(Fun, Arguments).

variables({var, _, '_'}) -> [];
variables({var, _, Name}) -> [Name];
variables(Tuple) when is_tuple(Tuple) -> variables(tuple_to_list(Tuple));
variables([Head | Tail]) -> variables(Head) ++ variables(Tail);
variables(_) -> [].
