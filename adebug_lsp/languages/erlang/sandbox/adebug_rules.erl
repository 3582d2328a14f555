%% Evaluates rules that a person typed, such as `lists:sort(Result) =:= Result`, on recorded values.
%%
%% A rule can call what it is allowed to, which gives values and does nothing else: functions by their names only, of
%% the modules and of `erlang` that the request lists, and the funs that it makes itself.
-module(adebug_rules).
-export([answer/2]).

-define(HEAP, 50000000).  % words that an evaluation may take

%% `{read, Names}` with the variables of a rule, `{bad, Problem}`, the value that it gives, or `none`.
answer(#{rule := Text} = Request, Nowhere) ->
    case read(unicode:characters_to_list(Text)) of
        {ok, Expressions} ->
            try
                checked(Expressions, Request),
                given(Expressions, Request, Nowhere)
            catch
                throw:{bad, _} = Bad -> Bad
            end;
        Bad -> Bad
    end.

given(Expressions, #{bindings := Bindings} = Request, Nowhere) ->
    Bound = orddict:from_list([{binary_to_atom(Name), Value} || {Name, Value} <- Bindings]),
    Call = fun([]) ->
        process_flag(max_heap_size, #{size => ?HEAP, kill => true, error_logger => false}),
        {value, Value, _} = erl_eval:exprs(Expressions, Bound, none, {value, fun(What, Given) -> called(What, Given, Request) end}),
        Value
    end,
    case adebug_reference:called_with([], Call, Request, Nowhere) of
        {value, Value, _} when is_boolean(Value) -> {value, Value};
        _ -> none
    end;
given(Expressions, _, _) ->
    {read, lists:usort([atom_to_binary(Name) || Name <- variables(Expressions)])}.

read(Text) ->
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

%% What is called is said in the text; a call that is made up while it is evaluated is looked at then.
checked({call, _, {remote, _, {atom, _, Module}, {atom, _, Name}}, Given}, Request) ->
    is_allowed(Module, Name, length(Given), Request),
    checked(Given, Request);
checked({call, _, {atom, _, Name}, Given}, Request) ->
    is_allowed(erlang, Name, length(Given), Request),
    checked(Given, Request);
checked({'fun', _, {function, Name, Arity}}, Request) ->
    is_allowed(erlang, Name, Arity, Request);
checked({'fun', _, {function, {atom, _, Module}, {atom, _, Name}, {integer, _, Arity}}}, Request) ->
    is_allowed(Module, Name, Arity, Request);
checked({'fun', _, {function, _, _, _}}, _) ->
    throw(bad("it must say which function it means", []));
checked({remote, _, _, _}, _) ->
    throw(bad("it must say which function it calls", []));
checked({op, _, '!', _, _}, _) ->
    throw(bad("it must not send a message", []));
checked(Receive, _) when element(1, Receive) =:= 'receive' ->
    throw(bad("it must not wait for a message", []));
checked(Tuple, Request) when is_tuple(Tuple) ->
    checked(tuple_to_list(Tuple), Request);
checked([Head | Tail], Request) ->
    checked(Head, Request),
    checked(Tail, Request);
checked(_, _) ->
    ok.

is_allowed(Module, Name, Arity, Request) ->
    code:ensure_loaded(Module),
    Exists = erlang:function_exported(Module, Name, Arity) orelse erlang:is_builtin(Module, Name, Arity),
    case is_listed(Module, Name, Request) of
        true when Exists -> ok;
        true -> throw(bad("there is no function ~tw:~tw/~b", [Module, Name, Arity]));
        false -> throw(bad("it cannot call ~tw:~tw/~b: a rule uses functions of OTP that do nothing but give a value, "
                           "and none of the program", [Module, Name, Arity]))
    end.

is_listed(erlang, Name, #{functions := Functions}) -> lists:member(atom_to_binary(Name), Functions);
is_listed(Module, _, #{modules := Modules}) -> lists:member(atom_to_binary(Module), Modules).

%% What is called while a rule is evaluated: operators too, which are functions of `erlang`.
called({Module, Name}, Given, Request) ->
    true = is_listed(Module, Name, Request) orelse (Module =:= erlang andalso erl_internal:op_type(Name, length(Given)) =/= send),
    apply(Module, Name, Given);
called(Fun, Given, _) when is_function(Fun) ->
    apply(Fun, Given).

variables({var, _, '_'}) -> [];
variables({var, _, Name}) -> [Name];
variables(Tuple) when is_tuple(Tuple) -> variables(tuple_to_list(Tuple));
variables([Head | Tail]) -> variables(Head) ++ variables(Tail);
variables(_) -> [].
