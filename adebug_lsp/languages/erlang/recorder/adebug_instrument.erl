%% Instruments the abstract code of a module (https://www.erlang.org/doc/apps/erts/absform.html, OTP 25 to 29).
%%
%% Every activation has a frame number, which all its events contain. The instrumented code has no additional `try` and
%% does not use the process dictionary: tail calls stay tail calls, and results are unchanged. A site is a piece of code
%% with a number, its kind, its position and the enclosing site.
-module(adebug_instrument).
-export([module/3, transforms/1]).

-define(RECORDER, adebug_recorder).
-define(IS_GENERATOR(Kind),
    (Kind =:= generate orelse Kind =:= b_generate orelse Kind =:= m_generate orelse
     Kind =:= generate_strict orelse Kind =:= b_generate_strict orelse Kind =:= m_generate_strict)).
-define(LOOPING, [enter_loop, hibernate, handle_system_msg]).  % functions of OTP that do not return

%% Returns the instrumented forms, the sites of a module and the next free site number; the first site has the number
%% `First`. `Own` lists all instrumented modules.
module(Forms, First, Own) ->
    Module = hd([Name || {attribute, _, module, Name} <- Forms]),
    Functions = [{Name, Arity} || {function, _, Name, Arity, _} <- Forms],
    put(adebug_next, First),
    put(adebug_sites, []),
    put(adebug_variable, 0),
    put(adebug_around, none),
    put(adebug_module, {Module, Functions, Own, Forms}),
    Instrumented = [form(Form) || Form <- Forms, not transforms(Form)],
    {Instrumented, lists:reverse(get(adebug_sites)), get(adebug_next)}.

%% Debug information is the output of parse transforms, so they must not run again.
transforms({attribute, _, compile, Options}) ->
    lists:any(fun({parse_transform, _}) -> true; (warnings_as_errors) -> true; (_) -> false end,
              if is_list(Options) -> Options; true -> [Options] end);
transforms(_) ->
    false.

form({function, A, Name, Arity, Clauses}) ->
    put(adebug_function, {Name, Arity}),
    Site = site(function, A, clauses(Clauses)),
    Enter = fun(N, Values, Variables) -> call(A, enter, [int(A, Site), int(A, N), Values, Variables]) end,
    None = fun(Values) -> call(A, none, [int(A, Site), Values]) end,
    {function, A, Name, Arity, in(Site, fun() -> routine(Clauses, Enter, None, Arity, A) end)};
form(Form) ->
    Form.

%% Clauses of functions and funs

routine(Clauses, Enter, None, Arity, A) ->
    Numbered = lists:zip(lists:seq(1, length(Clauses)), Clauses),
    Instrumented = [entered(Clause, N, Enter) || {N, Clause} <- Numbered],
    case takes_all(lists:last(Clauses)) of
        true -> Instrumented;
        false -> Instrumented ++ [no_clause(None, Arity, generated(A))]
    end.

entered({clause, A, Patterns, Guards, Body}, N, Enter) ->
    {Named, Values} = lists:unzip([aliased(Pattern) || Pattern <- Patterns]),
    Frame = new(A),
    Variables = variables(Patterns),
    Event = Enter(N, list(A, Values), values(A, Variables)),
    {clause, A, Named, Guards, [{match, A, Frame, Event} | body(Body, Frame, tail)]}.

no_clause(None, Arity, A) ->
    Values = [new(A) || _ <- lists:seq(1, Arity)],
    Raise = {call, A, {remote, A, {atom, A, erlang}, {atom, A, error}}, [{atom, A, function_clause}, list(A, Values)]},
    {clause, A, Values, [], [None(list(A, Values)), Raise]}.

takes_all({clause, _, Patterns, [], _}) ->
    Names = [Name || {var, _, Name} <- Patterns],
    length(Names) =:= length(Patterns) andalso
        length(lists:usort([N || N <- Names, N =/= '_'])) =:= length([N || N <- Names, N =/= '_']);
takes_all(_) ->
    false.

%% Adds an alias for the whole value to a pattern.
aliased({var, _, Name} = Pattern) when Name =/= '_' ->
    {Pattern, Pattern};
aliased({var, A, '_'}) ->
    Whole = new(A),
    {Whole, Whole};
aliased(Pattern) ->
    A = element(2, Pattern),
    Whole = new(A),
    {{match, A, Whole, Pattern}, Whole}.

%% Expressions. In tail position an event `returns` is emitted for the frame, elsewhere an event `value`.

body(Expressions, Frame, Mode) ->
    {Before, [Last]} = lists:split(length(Expressions) - 1, Expressions),
    Instrumented = [expression(E, Frame, value) || E <- Before],
    Instrumented ++ [expression(Last, Frame, Mode)].

expression({match, A, Pattern, Right}, Frame, Mode) ->
    Variables = variables([Pattern]),
    Site = site(match, A, #{variables => Variables, pattern => position(Pattern)}),
    Whole = new(A),
    Value = in(Site, fun() -> expression(Right, Frame, value) end),
    Event = call(A, bound, [Frame, int(A, Site), Whole, values(A, Variables)]),
    result({block, A, [{match, A, Whole, Value}, {match, A, Pattern, Whole}, Event, Whole]}, Frame, Mode);
expression({call, _, {atom, _, record_info}, _} = E, Frame, Mode) ->
    result(E, Frame, Mode);
expression({call, A, Called, Arguments}, Frame, Mode) ->
    called(A, Called, Arguments, Frame, Mode);
expression({op, A, Op, Left, Right}, Frame, Mode) when Op =:= 'andalso'; Op =:= 'orelse' ->
    Site = site(op, A, #{name => Op, tail => Mode =:= tail}),
    {L, R} = in(Site, fun() -> {expression(Left, Frame, value), expression(Right, Frame, Mode)} end),
    case Mode of
        tail -> {op, A, Op, call(A, decides, [Frame, {atom, A, Op =:= 'orelse'}, L]), R};
        value -> value(A, Site, Frame, {op, A, Op, L, R})
    end;
expression({op, A, Op, Left, Right}, Frame, Mode) ->
    Site = site(op, A, #{name => Op, operands => [position(Left), position(Right)]}),
    {L, R} = in(Site, fun() -> {expression(Left, Frame, value), expression(Right, Frame, value)} end),
    result(value(A, Site, Frame, {op, A, Op, L, R}), Frame, Mode);
expression({op, _, Op, {Literal, _, _}} = E, Frame, Mode) when Op =:= '-', (Literal =:= integer orelse Literal =:= float) ->
    result(E, Frame, Mode);
expression({op, A, Op, Right}, Frame, Mode) ->
    Site = site(op, A, #{name => Op}),
    R = in(Site, fun() -> expression(Right, Frame, value) end),
    result(value(A, Site, Frame, {op, A, Op, R}), Frame, Mode);
expression({'case', A, Argument, Clauses}, Frame, Mode) ->
    Site = site('case', A, (clauses(Clauses))#{tail => Mode =:= tail}),
    chosen(A, Site, Frame, Mode, fun() ->
        Values = expression(Argument, Frame, value),
        {'case', A, Values, branches(Clauses, Site, Frame, Mode)}
    end);
expression({'if', A, Clauses}, Frame, Mode) ->
    Site = site('if', A, (clauses(Clauses))#{tail => Mode =:= tail}),
    chosen(A, Site, Frame, Mode, fun() -> {'if', A, plain_branches(Clauses, Site, Frame, Mode)} end);
expression({'receive', A, Clauses}, Frame, Mode) ->
    Site = site('receive', A, (clauses(Clauses))#{tail => Mode =:= tail}),
    chosen(A, Site, Frame, Mode, fun() ->
        {block, A, [call(A, waits, [Frame, int(A, Site)]), {'receive', A, branches(Clauses, Site, Frame, Mode)}]}
    end);
expression({'receive', A, Clauses, Time, After}, Frame, Mode) ->
    Site = site('receive', A, (clauses(Clauses))#{tail => Mode =:= tail, timed => true}),
    chosen(A, Site, Frame, Mode, fun() ->
        Limit = new(A),
        Late = [chose(A, Site, 0, {nil, A}, [], Frame) | body(After, Frame, Mode)],
        {block, A, [{match, A, Limit, expression(Time, Frame, value)}, call(A, waits, [Frame, int(A, Site)]),
                    {'receive', A, branches(Clauses, Site, Frame, Mode), Limit, Late}]}
    end);
expression({'try', A, Body, Of, Catch, After}, Frame, Mode) ->
    tried(A, Body, Of, Catch, After, Frame, Mode);
expression({'catch', A, Inner}, Frame, Mode) ->
    Site = site('catch', A, #{}),
    Value = in(Site, fun() -> expression(Inner, Frame, value) end),
    result(value(A, Site, Frame, {'catch', A, Value}), Frame, Mode);
expression({block, A, Body}, Frame, Mode) ->
    {block, A, body(Body, Frame, Mode)};
expression({'maybe', A, Body}, Frame, Mode) ->
    Site = site('maybe', A, #{}),
    result(value(A, Site, Frame, {'maybe', A, in(Site, fun() -> body(Body, Frame, value) end)}), Frame, Mode);
expression({'maybe', A, Body, {'else', B, Clauses}}, Frame, Mode) ->
    Site = site('maybe', A, clauses(Clauses)),
    Inner = in(Site, fun() ->
        {'maybe', A, body(Body, Frame, value), {'else', B, branches(Clauses, Site, Frame, value)}}
    end),
    result(value(A, Site, Frame, Inner), Frame, Mode);
expression({maybe_match, A, Pattern, Right}, Frame, Mode) ->
    Site = site(match, A, #{variables => [], pattern => position(Pattern)}),
    Value = in(Site, fun() -> expression(Right, Frame, value) end),
    result({maybe_match, A, Pattern, value(A, Site, Frame, Value)}, Frame, Mode);
expression({Kind, A, Element, Qualifiers}, Frame, Mode) when Kind =:= lc; Kind =:= bc; Kind =:= mc ->
    Site = site(Kind, A, #{}),
    Inner = in(Site, fun() ->
        Through = lists:append([qualifier(Q, Site, Frame) || Q <- Qualifiers]),
        {Kind, A, element_of(Element, Frame), Through}
    end),
    result(value(A, Site, Frame, Inner), Frame, Mode);
expression({'fun', A, {clauses, Clauses}}, Frame, Mode) ->
    Site = site('fun', A, clauses(Clauses)),
    {Made, Event} = made(A, Site, Frame),
    result({block, A, [Event, {'fun', A, {clauses, a_fun(A, Site, Clauses, Made)}}]}, Frame, Mode);
expression({named_fun, A, Name, Clauses}, Frame, Mode) ->
    Site = site('fun', A, (clauses(Clauses))#{name => Name}),
    {Made, Event} = made(A, Site, Frame),
    result({block, A, [Event, {named_fun, A, Name, a_fun(A, Site, Clauses, Made)}]}, Frame, Mode);
expression({record_field, A, Inner, Name, Field}, Frame, Mode) ->
    Site = site(record_field, A, #{}),
    Value = in(Site, fun() -> expression(Inner, Frame, value) end),
    result(value(A, Site, Frame, {record_field, A, Value, Name, Field}), Frame, Mode);
expression(E, Frame, Mode) ->
    result(parts(E, Frame), Frame, Mode).

%% Constructors, which have no event of their own.
parts({tuple, A, Es}, Frame) ->
    {tuple, A, [expression(E, Frame, value) || E <- Es]};
parts({cons, A, Head, Tail}, Frame) ->
    {cons, A, expression(Head, Frame, value), expression(Tail, Frame, value)};
parts({map, A, Pairs}, Frame) ->
    {map, A, [pair(P, Frame) || P <- Pairs]};
parts({map, A, Map, Pairs}, Frame) ->
    {map, A, expression(Map, Frame, value), [pair(P, Frame) || P <- Pairs]};
parts({record, A, Name, Fields}, Frame) ->
    {record, A, Name, [pair(F, Frame) || F <- Fields]};
parts({record, A, Record, Name, Fields}, Frame) ->
    {record, A, expression(Record, Frame, value), Name, [pair(F, Frame) || F <- Fields]};
parts({bin, A, Elements}, Frame) ->
    {bin, A, [segment(E, Frame) || E <- Elements]};
parts(E, _Frame) ->
    E.

pair({Kind, A, Key, Value}, Frame) when Kind =:= map_field_assoc; Kind =:= map_field_exact ->
    {Kind, A, expression(Key, Frame, value), expression(Value, Frame, value)};
pair({record_field, A, Name, Value}, Frame) ->
    {record_field, A, Name, expression(Value, Frame, value)}.

segment({bin_element, _, {string, _, _}, _, _} = E, _Frame) -> E;
segment({bin_element, A, Value, Size, Types}, Frame) -> {bin_element, A, expression(Value, Frame, value), Size, Types}.

%% Element of one iteration; several from OTP 29 on.
element_of(Elements, Frame) when is_list(Elements) -> [element_of(E, Frame) || E <- Elements];
element_of({Kind, _, _, _} = Pair, Frame) when Kind =:= map_field_assoc -> pair(Pair, Frame);
element_of(E, Frame) -> expression(E, Frame, value).

%% A filter that is a valid guard fails silently, so it must remain a guard. Zip generators (OTP 28) emit their events
%% when all of them have the next element.
qualifier({zip, A, Generators}, Site, Frame) ->
    {Instrumented, Event} = lists:unzip([generator(G, Site, Frame) || G <- Generators]),
    [{zip, A, Instrumented}, {block, A, Event ++ [{atom, A, true}]}];
qualifier({Kind, A, _, _} = Generator, Site, Frame) when ?IS_GENERATOR(Kind) ->
    {Instrumented, Event} = generator(Generator, Site, Frame),
    [Instrumented, {block, A, [Event, {atom, A, true}]}];
qualifier(Filter, _Site, Frame) ->
    {_, Functions, _, Forms} = get(adebug_module),
    Records = [Form || {attribute, _, record, _} = Form <- Forms],
    case erl_lint:is_guard_test(Filter, Records, fun(F) -> lists:member(F, Functions) end) of
        true -> [Filter];
        false -> [expression(Filter, Frame, value)]
    end.

generator({Kind, A, Pattern, From}, Site, Frame) ->
    Variables = variables([Pattern]),
    Iteration = site(generate, A, #{variables => Variables, pattern => position(Pattern), comprehension => Site}),
    {{Kind, A, Pattern, expression(From, Frame, value)}, call(A, iteration, [Frame, int(A, Iteration), values(A, Variables)])}.

%% A fun captures its frame and site, which identify it when it is a value.
made(A, Site, Frame) ->
    Made = new(A),
    {Made, {match, A, Made, {tuple, A, [{atom, A, adebug_fun}, Frame, int(A, Site)]}}}.

a_fun(A, Site, Clauses, Made) ->
    Enter = fun(N, Values, Variables) -> call(A, enter_fun, [int(A, Site), int(A, N), Values, Variables, Made]) end,
    None = fun(Values) -> call(A, none, [int(A, Site), Values]) end,
    {clause, _, Patterns, _, _} = hd(Clauses),
    in(Site, fun() -> routine(Clauses, Enter, None, length(Patterns), A) end).

%% Calls

called(A, Called, Arguments, Frame, Mode) ->
    {Target, Name} = target(Called, length(Arguments)),
    HasEffect = is_effect(Target, Name),
    Site = site(call, A, #{target => Target, name => Name, tail => Mode =:= tail andalso keeps_tail(Target), effect => HasEffect,
                           operands => [position(E) || E <- Arguments]}),
    {Fun, Values} = in(Site, fun() ->
        {function_of(Called, Frame), [expression(E, Frame, value) || E <- Arguments]}
    end),
    {Before, Now} = first_evaluated(A, Values),
    Call = case Name of
        {Module, halt, _} when Module =:= none; Module =:= erlang ->
            block(A, [call(A, halts, []), {call, A, Fun, Now}]);
        {erlang, ports, 0} -> call(A, ports, []);
        _ -> {call, A, Fun, Now}
    end,
    case {Mode, keeps_tail(Target)} of
        {tail, true} -> block(A, Before ++ [call(A, tail, [Frame, int(A, Site)]), Call]);
        {value, _} when Target =:= own -> block(A, Before ++ [call(A, calls, [Frame, int(A, Site)]), Call]);
        _ ->
            Event = [Frame, int(A, Site) | [list(A, Now) || HasEffect]],
            Inner = block(A, Before ++ [call(A, calls, Event), Call]),
            result(value(A, Site, Frame, Inner), Frame, Mode)
    end.

%% Whether a call has effects; unknown for a call whose target is computed.
is_effect(own, _) -> false;
is_effect(_, {none, none, _}) -> false;
is_effect(_, {Module, Name, Arity}) -> adebug_effects:is_effect(Module, {Name, Arity}).

%% Arguments are evaluated before the event of the call: each is bound to a variable unless it is a literal or variable.
first_evaluated(A, Values) ->
    case lists:all(fun is_plain/1, Values) of
        true -> {[], Values};
        false ->
            Pairs = [case is_plain(E) of
                         true -> {[], E};
                         false -> V = new(A), {[{match, A, V, E}], V}
                     end || E <- Values],
            {Before, Now} = lists:unzip(Pairs),
            {lists:append(Before), Now}
    end.

is_plain({Kind, _, _}) when Kind =:= var; Kind =:= atom; Kind =:= integer; Kind =:= float; Kind =:= char; Kind =:= string -> true;
is_plain({nil, _}) -> true;
is_plain(_) -> false.

function_of({remote, A, Module, Name}, Frame) ->
    {remote, A, expression(Module, Frame, value), expression(Name, Frame, value)};
function_of({atom, _, _} = Name, _Frame) ->
    Name;
function_of(Fun, Frame) ->
    case expression(Fun, Frame, value) of
        {var, _, _} = Variable -> Variable;
        Other -> Other
    end.

%% Target of a call: `own` (instrumented), `library` (returns), or `unknown` (may never return).
target({atom, _, Name}, Arity) ->
    {Module, Functions, _, _} = get(adebug_module),
    case lists:member({Name, Arity}, Functions) of
        true -> {own, {Module, Name, Arity}};
        false -> {library, {none, Name, Arity}}
    end;
target({remote, _, {atom, _, Module}, {atom, _, Name}}, Arity) ->
    {_, _, Own, _} = get(adebug_module),
    case lists:member(Module, Own) of
        true -> {own, {Module, Name, Arity}};
        false -> {library_or_loop(Module, Name), {Module, Name, Arity}}
    end;
target(_, Arity) ->
    {unknown, {none, none, Arity}}.

library_or_loop(erlang, Name) when Name =:= apply; Name =:= hibernate -> unknown;
library_or_loop(erlang, _) -> library;
library_or_loop(Module, Name) ->
    case lists:member(Name, ?LOOPING) orelse not is_otp(code:which(Module)) of
        true -> unknown;
        false -> library
    end.

is_otp(preloaded) -> true;
is_otp(cover_compiled) -> false;
is_otp(Path) when is_list(Path) -> lists:prefix(code:lib_dir(), Path);
is_otp(_) -> false.

keeps_tail(library) -> false;
keeps_tail(_) -> true.

%% Choices

chosen(A, Site, Frame, value, Inner) -> value(A, Site, Frame, in(Site, Inner));
chosen(_, Site, _, tail, Inner) -> in(Site, Inner).

branches(Clauses, Site, Frame, Mode) ->
    [branch(Clause, N, Site, Frame, Mode) || {N, Clause} <- lists:zip(lists:seq(1, length(Clauses)), Clauses)].

branch({clause, A, [Pattern], Guards, Body}, N, Site, Frame, Mode) ->
    {Named, Whole} = aliased(Pattern),
    Event = chose(A, Site, N, Whole, variables([Pattern]), Frame),
    {clause, A, [Named], Guards, [Event | body(Body, Frame, Mode)]}.

plain_branches(Clauses, Site, Frame, Mode) ->
    [{clause, A, [], Guards, [chose(A, Site, N, {nil, A}, [], Frame) | body(Body, Frame, Mode)]}
     || {N, {clause, A, [], Guards, Body}} <- lists:zip(lists:seq(1, length(Clauses)), Clauses)].

chose(A, Site, N, Whole, Variables, Frame) ->
    call(A, chose, [Frame, int(A, Site), int(A, N), Whole, values(A, Variables)]).

%% Clauses of `of` and `catch` are in tail position unless there is an `after`.
tried(A, Body, Of, Catch, After, Frame, Mode) ->
    Inside = case After of [] -> Mode; _ -> value end,
    Site = site('try', A, (clauses(Of))#{tail => Inside =:= tail, handlers => handlers(Catch)}),
    Inner = in(Site, fun() ->
        Tried = body(Body, Frame, value),
        {'try', A, Tried, of_clauses(A, Of, Site, Frame, Inside),
         [handler(C, N, Site, Frame, Inside) || {N, C} <- lists:zip(lists:seq(1, length(Catch)), Catch)],
         case After of [] -> []; _ -> body(After, Frame, value) end}
    end),
    case Inside of
        tail -> Inner;
        value -> result(value(A, Site, Frame, Inner), Frame, Mode)
    end.

of_clauses(A, [], _Site, Frame, tail) ->
    Value = new(A),
    [{clause, A, [Value], [], [call(A, returns, [Frame, Value])]}];
of_clauses(_, Of, Site, Frame, Mode) ->
    branches(Of, Site, Frame, Mode).

handler({clause, A, [{tuple, B, [Class, Reason, Stack]}], Guards, Body}, N, Site, Frame, Mode) ->
    {NamedClass, WholeClass} = case Class of
        {var, _, '_'} -> V = new(A), {V, V};
        _ -> {Class, Class}
    end,
    {Named, Whole} = aliased(Reason),
    Event = chose(A, Site, -N, {tuple, A, [WholeClass, Whole]}, variables([Class, Reason]), Frame),
    {clause, A, [{tuple, B, [NamedClass, Named, Stack]}], Guards, [Event | body(Body, Frame, Mode)]}.

handlers(Catch) ->
    [#{position => place(A), guard => guard(Guards), variables => variables([Class, Reason]), body => bodies(Body)}
     || {clause, A, [{tuple, _, [Class, Reason, _]}], Guards, Body} <- Catch].

%% Events

result(E, _Frame, value) -> E;
result(E, Frame, tail) -> call(element(2, E), returns, [Frame, E]).

value(A, Site, Frame, E) -> call(A, value, [Frame, int(A, Site), E]).

call(Anno, Name, Arguments) ->
    A = generated(Anno),
    {call, A, {remote, A, {atom, A, ?RECORDER}, {atom, A, Name}}, Arguments}.

block(_, [E]) -> E;
block(A, Es) -> {block, A, Es}.

values(A, Names) -> list(A, [{var, A, Name} || Name <- Names]).

list(A, Es) -> lists:foldr(fun(E, Rest) -> {cons, A, E, Rest} end, {nil, A}, Es).

int(A, N) when N < 0 -> {op, A, '-', {integer, A, -N}};
int(A, N) -> {integer, A, N}.

generated(A) -> erl_anno:set_generated(true, A).

new(A) ->
    N = get(adebug_variable) + 1,
    put(adebug_variable, N),
    {var, A, list_to_atom("@adebug" ++ integer_to_list(N))}.

%% Sites

site(Kind, A, Facts) ->
    N = get(adebug_next),
    put(adebug_next, N + 1),
    {Module, _, _, _} = get(adebug_module),
    {Function, Arity} = get(adebug_function),
    Site = Facts#{site => N, kind => Kind, position => place(A), around => get(adebug_around), module => Module,
                  function => Function, arity => Arity, file => file(A)},
    put(adebug_sites, [Site | get(adebug_sites)]),
    N.

in(Site, Fun) ->
    Around = put(adebug_around, Site),
    Found = Fun(),
    put(adebug_around, Around),
    Found.

clauses(Clauses) ->
    #{clauses => [#{position => place(A), guard => guard(Guards), variables => variables(Patterns),
                    names => [name(P) || P <- Patterns], body => bodies(Body)}
                  || {clause, A, Patterns, Guards, Body} <- Clauses]}.

name({var, _, Name}) when Name =/= '_' -> Name;
name(_) -> none.

guard([]) -> none;
guard([[First | _] | _]) -> position(First).

bodies(Body) -> [position(E) || E <- Body].

position(E) -> {element(1, E), place(element(2, E))}.

place(A) ->
    case erl_anno:location(A) of
        {Line, Column} -> {Line, Column};
        Line -> {Line, 0}
    end.

file(A) ->
    case erl_anno:file(A) of
        undefined -> none;
        File -> unicode:characters_to_binary(File)
    end.

%% Variables of patterns, in order. Sizes in binary patterns and keys in map patterns are used, not bound, but they have
%% a value there, too.
variables(Patterns) -> unique(lists:append([names(P) || P <- Patterns]), []).

names({var, _, '_'}) -> [];
names({var, _, Name}) -> [Name];
names(Tuple) when is_tuple(Tuple) -> names(tuple_to_list(Tuple));
names([Head | Tail]) -> names(Head) ++ names(Tail);
names(_) -> [].

unique([], Found) -> lists:reverse(Found);
unique([Name | Rest], Found) ->
    case lists:member(Name, Found) of
        true -> unique(Rest, Found);
        false -> unique(Rest, [Name | Found])
    end.
