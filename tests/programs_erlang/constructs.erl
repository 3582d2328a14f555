%% All constructs of the language, with one result: a list of named values that holds no pid, reference, fun or time,
%% so that two ways to run this module can be compared.
-module(constructs).
-export([main/0, main/1]).
-export([id/1, twelve/12, child/1, waiter/1, linked/1, echo/0, selective/0, long_loop/1, on_exit/1]).

-import(lists, [reverse/1, map/2]).
-include_lib("stdlib/include/ms_transform.hrl").
-compile({inline, [inlined/1]}).

-define(TURNS, 1_000_000).
-define(TWICE(X), ((X) + (X))).
-define(SHOWN(X), {??X, X}).
-define(PAIR(A), {A, none}).
-define(PAIR(A, B), {A, B}).
-define(YES, yes).
-ifdef(YES).
-define(DEFINED, defined).
-else.
-define(DEFINED, undefined).
-endif.
-undef(YES).

-type size() :: small | {large, pos_integer()}.
-export_type([size/0]).

-record(point, {x = 0 :: integer(), y = 0 :: integer()}).
-record(shape, {name, centre = #point{}, tags = [] :: [atom()], area = ?TWICE(3)}).

main() ->
    main(?TURNS).

%% The number of turns of the long loop can be chosen, as it takes long when every turn is looked at.
main(Turns) ->
    #{level := Level} = logger:get_primary_config(),
    logger:set_primary_config(level, none),
    try
        [{Name, section(Name, Turns)} || Name <- sections()]
    after
        logger:set_primary_config(level, Level)
    end.

sections() ->
    [
        funs, named_funs, closures, calls, comprehensions, bit_comprehensions, maps, records, macros, binaries, utf,
        patterns, trying, raising, old_catch, guards, failing_guards, conditions, scopes, operators, comparisons,
        literals, numbers, errors, stacks, recursion, many_arguments, receiving, selecting, spawning, linking,
        monitoring, names, timers, dictionary, server, server_crash, tables, evaluation, compilation, attributes
    ].

section(recursion, Turns) -> recursion(Turns);
section(funs, _) -> funs();
section(named_funs, _) -> named_funs();
section(closures, _) -> closures();
section(calls, _) -> calls();
section(comprehensions, _) -> comprehensions();
section(bit_comprehensions, _) -> bit_comprehensions();
section(maps, _) -> maps();
section(records, _) -> records();
section(macros, _) -> macros();
section(binaries, _) -> binaries();
section(utf, _) -> utf();
section(patterns, _) -> patterns();
section(trying, _) -> trying();
section(raising, _) -> raising();
section(old_catch, _) -> old_catch();
section(guards, _) -> guards();
section(failing_guards, _) -> failing_guards();
section(conditions, _) -> conditions();
section(scopes, _) -> scopes();
section(operators, _) -> operators();
section(comparisons, _) -> comparisons();
section(literals, _) -> literals();
section(numbers, _) -> numbers();
section(errors, _) -> errors();
section(stacks, _) -> stacks();
section(many_arguments, _) -> many_arguments();
section(receiving, _) -> receiving();
section(selecting, _) -> selecting();
section(spawning, _) -> spawning();
section(linking, _) -> linking();
section(monitoring, _) -> monitoring();
section(names, _) -> names();
section(timers, _) -> timers();
section(dictionary, _) -> dictionary();
section(server, _) -> server();
section(server_crash, _) -> server_crash();
section(tables, _) -> tables();
section(evaluation, _) -> evaluation();
section(compilation, _) -> compilation();
section(attributes, _) -> attributes().

%% A value of which the compiler knows nothing.
id(X) -> X.

%% ---- funs

funs() ->
    Inc = fun(X) -> X + 1 end,
    Sign = fun
        (X) when X < 0 -> negative;
        (0) -> zero;
        (_) -> positive
    end,
    Local = fun inlined/1,
    External = fun lists:reverse/1,
    {Module, Function, Arity} = id({lists, sort, 1}),
    Chosen = fun Module:Function/Arity,
    {
        Inc(1), [Sign(N) || N <- [-5, 0, 5]], Local(4), External([1, 2]), Chosen([b, a]),
        map(fun(F) -> F([3, 1]) end, [fun lists:max/1, fun lists:sum/1, fun hd/1]),
        (fun() -> immediately end)(), (adder(10))(5), is_function(Inc, 1), is_function(Inc, 2),
        erlang:fun_info(External, module), erlang:fun_info(Inc, arity), External =:= fun lists:reverse/1
    }.

inlined(X) -> X * 100.

adder(N) -> fun(X) -> X + N end.

named_funs() ->
    Factorial = fun Self(N) when N > 1 -> N * Self(N - 1); Self(_) -> 1 end,
    Walk = fun
        Down([Head | Tail], Seen) -> Down(Tail, [Head | Seen]);
        Down([], Seen) -> Seen
    end,
    Again = fun Loop(0) -> done; Loop(N) -> (fun(Next) -> Next(N - 1) end)(Loop) end,
    {Factorial(20), Walk([a, b, c], []), Again(3)}.

closures() ->
    A = id(1),
    Outer = fun(B) ->
        Middle = fun(C) -> fun(D) -> {A, B, C, D} end end,
        Middle(A + B)
    end,
    Makers = [fun(X) -> X * N end || N <- [1, 2, 3]],
    {Count, Final} = lists:mapfoldl(fun(X, Sum) -> {Sum + X, Sum + X} end, A, [1, 2, 3]),
    {(Outer(2))(4), [Make(10) || Make <- Makers], Count, Final, compose([adder(1), fun(X) -> X * X end], 4)}.

compose(Functions, Start) ->
    (lists:foldr(fun(F, G) -> fun(X) -> G(F(X)) end end, fun id/1, Functions))(Start).

calls() ->
    Module = id(lists),
    Function = id(nth),
    {
        Module:Function(2, [a, b, c]), apply(Module, reverse, [[1, 2]]), apply(fun erlang:abs/1, [-3]),
        erlang:apply(?MODULE, id, [x]), ?MODULE:id(y), apply(Module, id(append), id([[[1], [2]]])),
        reverse("abc"), map(fun ?MODULE:id/1, [1]), (id(fun() -> late end))(), erlang:'+'(1, 2), length(lists:seq(1, 5))
    }.

%% ---- comprehensions

comprehensions() ->
    Pairs = [{1, a}, {2, b}, other, {3, c}],
    X = outer,
    {
        [N * N || N <- [1, 2, 3]],
        [{A, B} || A <- [1, 2, 3], B <- "xy", A =/= 2],
        [Letter || {N, Letter} <- Pairs, N > 1],
        [V || V <- [1, a, {2}, "s", 3], V + 1 > 2],
        [V || V <- [{a}, b, {c, d}], element(2, V) =:= d],
        [V || V <- [1, 2, 3, 4], even(V), V > 2],
        [V || V <- [1, x, 3], is_integer(V) andalso V rem 3 =:= 0 orelse V =:= x],
        [X || X <- [shadowing]] ++ [X],
        [[Y || Y <- lists:seq(1, N)] || N <- [0, 1, 2]],
        [{P, Q} || P <- [1, 2], Q <- lists:seq(P, 3), begin R = P * Q, R > 2 end],
        [Z || Z <- [true, false], Z],
        [get(constructs_seen) || Z <- [1, 2], begin put(constructs_seen, Z), true end],
        erase(constructs_seen),
        [nothing || _ <- []],
        caught(fun() -> [not_boolean || _ <- [1], id(2)] end),
        caught(fun() -> [I || I <- id(no_list)] end),
        caught(fun() -> [I || I <- id([1 | 2])] end),
        caught(fun() -> [throw({at, I}) || I <- [1, 2, 3], I > 1] end)
    }.

even(N) -> N rem 2 =:= 0.

bit_comprehensions() ->
    {
        << <<(Byte + 1)>> || <<Byte>> <= <<1, 2, 3>> >>,
        << <<Bit:1>> || Bit <- [1, 0, 1], Bit >= 0 >>,
        [{A, B} || <<A:4, B:4>> <= <<16#12, 16#34>>],
        [A || <<1:1, A:7>> <= <<129, 2, 131>>],
        << <<A, B>> || A <- [1, 2], <<B>> <= <<8, 9>>, A + B =/= 10 >>,
        [N || <<Size:8, N:Size>> <= <<4, 5:4, 3, 2:3, 1:1>>],
        << <<Part/bitstring>> || Part <- [<<1:3>>, <<2:5>>] >>,
        [C || <<C/utf8>> <= <<"aé∀"/utf8>>]
    }.

%% ---- maps and records

maps() ->
    Key = id(b),
    Map = #{a => 1, Key => 2, {c, 3} => [4], "text" => #{inner => yes}},
    #{Key := Found, {c, 1 + 2} := [Four]} = Map,
    Changed = Map#{a := 10, new => Found},
    Merged = maps:fold(fun(_, V, Sum) when is_integer(V) -> Sum + V; (_, _, Sum) -> Sum end, 0, Changed),
    {
        Found, Four, Merged, map_size(Changed), lists:sort(maps:keys(Changed)), maps:get(z, Map, default),
        (maps:get("text", Map))#{more => no}, kind_of(Map), kind_of(#{}), kind_of(#{a => 1.0}),
        #{1 => x} =:= #{1.0 => x},
        caught(fun() -> Map#{missing := 1} end), caught(fun() -> maps:get(missing, #{}) end),
        caught(fun() -> (id(not_a_map))#{a => 1} end), [V || {_, V} <- lists:sort(maps:to_list(#{x => 1, y => 2}))],
        maps:map(fun(K, V) -> {K, V} end, #{k => v}), maps:size(maps:from_list([{N, N} || N <- lists:seq(1, 50)]))
    }.

kind_of(#{a := A}) when is_float(A) -> float;
kind_of(M) when is_map_key({c, 3}, M), map_get(a, M) =:= 1 -> full;
kind_of(#{}) -> other.

records() ->
    Point = #point{x = 1},
    Shape = #shape{name = box, centre = Point#point{y = 2}},
    #shape{centre = #point{x = X, y = Y} = Centre, tags = Tags} = Shape,
    Moved = Shape#shape{centre = (Shape#shape.centre)#point{x = X + 10}, tags = [moved | Tags]},
    {
        Point, Shape, Centre, Y, Moved#shape.centre#point.x, Moved#shape.tags, #shape.area, element(#shape.area, Shape),
        record_info(size, shape), record_info(fields, point), is_record(Shape, shape), is_record({shape}, shape),
        setelement(#point.y, Point, 7), #shape{_ = all}, corner(Point), corner(#point{}), corner(x),
        caught(fun() -> (id(no_shape))#shape.name end), [P || #point{x = 1} = P <- [Point, #point{}]]
    }.

corner(#point{x = 0, y = 0}) -> origin;
corner(P) when is_record(P, point), P#point.x > 0 -> right;
corner(_) -> none.

macros() ->
    {
        ?MODULE, ?MODULE_STRING, ?LINE > 100, ?FUNCTION_NAME, ?FUNCTION_ARITY, ?TWICE(1) * 2, ?SHOWN(1 + 2), ?PAIR(1),
        ?PAIR(1, 2), ?DEFINED, filename:basename(?FILE), ?OTP_RELEASE >= 25, ?MACHINE
    }.

%% ---- binaries and patterns

binaries() ->
    N = id(3),
    <<Len:8, Body:Len/binary, Rest/binary>> = <<2, "abcd">>,
    <<Head:(N * 4), Tail/bitstring>> = <<16#abcdef:24, 1:1>>,
    <<Signed:16/signed-little, Float:64/float, Units:2/unit:8>> = <<-2:16/little, 1.5/float, 513:16>>,
    <<"key=", Value/binary>> = <<"key=value">>,
    {
        Body, Rest, Head, Tail, Signed, Float, Units, Value, bit_size(Tail), byte_size(Rest), <<1:1, 0:7>>, <<N:N>>,
        <<300>>, <<"abc", N, 1.0:32/float>>, <<(<<1:4>>)/bitstring, 15:4>>, frame(<<1, 0:16, 3>>), frame(<<2, 255, 1>>),
        frame(<<5:3>>), frame(<<>>), frame(other), <<1, 2>> < <<1, 3>>, binary_to_list(<<1, 2, 3>>, 2, 3),
        caught(fun() -> <<(id(atom)):8>> end), iolist_to_binary([<<"a">>, "b", [[$c]]]),
        binary:split(<<"a,b,c">>, <<",">>, [global])
    }.

frame(<<1, Size:16, Rest/binary>>) -> {one, Size, Rest};
frame(<<2, Signed/signed, Rest/bits>>) when Signed < 0 -> {two, Signed, Rest};
frame(<<Bits/bitstring>>) when bit_size(Bits) rem 8 =/= 0 -> {odd, bit_size(Bits)};
frame(<<>>) -> empty;
frame(_) -> other.

utf() ->
    Text = "zażółć ∀",
    <<First/utf8, _/binary>> = <<"żaba"/utf8>>,
    {
        Text, length(Text), <<"zażółć"/utf8>>, <<"∀"/utf16>>, <<$∀/utf32>>, First, [$a, $\n, $\s, $\x{2200}, $ż, $\\],
        unicode:characters_to_binary(Text), 'zażółć', string:uppercase("żółw"), "tab\tquote\"bell\a\x41\101\^A"
    }.

patterns() ->
    Bound = id(2),
    {Bound, Other} = id({2, other}),
    [First, _ | Rest] = id([1, 2, 3, 4]),
    All = {Inside, Inside} = id({same, same}),
    "pre" ++ Suffix = id("prefix"),
    {1 + 2, -1, $a} = id({3, -1, 97}),
    X = Y = id(chain),
    {Other, First, Rest, All, Inside, Suffix, X, Y, equal(1, 1), equal(1, 1.0), zero(0.0), [letter(C) || C <- "a1_"]}.

equal(A, A) -> same;
equal(A, B) when A == B -> alike;
equal(_, _) -> different.

zero(0) -> integer;
zero(0.0) -> float.

letter(C) when C >= $a, C =< $z; C >= $A, C =< $Z -> letter;
letter($_) -> line;
letter(_) -> other.

%% ---- exceptions

trying() ->
    Plain = try id(1) of 1 -> one; _ -> other catch _:_ -> never end,
    After = try id(a) after put(constructs_after, ran) end,
    Nested =
        try
            try
                throw(inner)
            catch
                error:_ -> wrong
            after
                put(constructs_order, [first])
            end
        catch
            throw:inner -> {outer, put(constructs_order, [second | get(constructs_order)])}
        after
            put(constructs_order, [third | get(constructs_order)])
        end,
    InHandler = try try throw(a) catch a -> error(b) end catch error:Reason -> {again, Reason} end,
    InAfter = caught(fun() -> try throw(lost) after exit(kept) end end),
    InOf = caught(fun() -> try 1 of 1 -> throw(not_caught_here) catch throw:_ -> caught end end),
    NoMatch = caught(fun() -> try id(3) of 1 -> one catch _:_ -> never end end),
    Default = try throw(plain) catch {x} -> pattern; Atom when is_atom(Atom) -> {guarded, Atom} end,
    Deep = [try check(N) catch throw:{odd, N} -> {odd, N}; error:zero -> zero end || N <- [0, 1, 2]],
    {
        Plain, After, erase(constructs_after), Nested, erase(constructs_order), InHandler, InAfter, InOf, NoMatch, Default,
        Deep
    }.

check(0) -> error(zero);
check(N) when N rem 2 =:= 1 -> throw({odd, N});
check(N) -> N.

raising() ->
    Again =
        try
            try
                error({first, 1})
            catch
                Class:Reason:Stack -> erlang:raise(Class, {wrapped, Reason}, Stack)
            end
        catch
            error:Wrapped:Raised -> {Wrapped, top_entry(Raised)}
        end,
    WithArguments = try erlang:error(custom, [1, two]) catch error:custom:Custom -> top_entry(Custom) end,
    {
        Again, WithArguments, caught(fun() -> throw(ball) end), caught(fun() -> exit(reason) end),
        caught(fun() -> lists:foreach(fun(X) -> X < 2 orelse throw({at, X}) end, [1, 2, 3]) end),
        caught(fun() -> error(bad) end), caught(fun() -> erlang:error({a, b}) end), caught(fun() -> exit(normal) end)
    }.

caught(F) ->
    try F() of
        Value -> {value, Value}
    catch
        Class:Reason -> {Class, Reason}
    end.

old_catch() ->
    {'EXIT', {Reason, [_ | _]}} = catch error(reason),
    Sum = 1 + (catch throw(41)),
    {catch id(fine), catch throw(thrown), catch exit(left), Reason, Sum, element(1, (catch id(1) + id(a))),
        case catch hd(id([])) of {'EXIT', {badarg, _}} -> no_head; Head -> Head end}.

%% ---- guards and conditions

guards() ->
    [guarded(V) || V <- [1, 15, 200, 1.5, atom, [], [1], {1, 2}, {a}, <<1>>, #{}, fun id/1, "", self(), make_ref()]].

guarded(N) when is_integer(N), N < 10 -> small;
guarded(N) when is_integer(N) andalso N < 20 orelse is_float(N) -> middle;
guarded(N) when is_number(N), not (N < 100), (N band 1) =:= 0 -> even_large;
guarded(A) when is_atom(A); is_binary(A) -> word;
guarded([]) -> empty;
guarded(L) when is_list(L), length(L) > 0 -> list;
guarded(T) when tuple_size(T) =:= 2, element(1, T) + 1 =:= element(2, T) -> steps;
guarded(T) when is_tuple(T) -> tuple;
guarded(M) when is_map(M); is_function(M, 1) -> map_or_function;
guarded(P) when is_pid(P) xor is_reference(P) -> identity.

failing_guards() ->
    {
        [first(V) || V <- [[b], [], atom, [a, b]]],
        case id(atom) of A when hd(A) =:= 1 -> head; A when length(A) > 0; is_atom(A) -> {second, A} end,
        case id({1}) of
            T when element(2, T) =:= x -> two;
            T when 1 div (tuple_size(T) - 1) > 0 -> more;
            _ -> neither
        end,
        case id(#{}) of M when map_get(k, M) -> key; _ -> no_key end,
        if id == 1; 1 / 0 > 0 -> never; true -> always end
    }.

first(L) when hd(L) =:= a -> a;
first(L) when hd(L) =:= b orelse L =:= [] -> b_or_empty;
first(L) when L =:= []; is_atom(L) -> empty_or_atom.

conditions() ->
    X = id(5),
    case X of
        5 -> Exported = five, Also = 1;
        _ -> Exported = other, Also = 2
    end,
    if
        X > 10 -> Size = large;
        X > 3, X < 7; X =:= 0 -> Size = middle;
        true -> Size = small
    end,
    Block = begin Inside = X * 2, Inside + 1 end,
    Nested = case {X, Size} of
        {5, middle} when Block > 100 -> no;
        {5, Y} -> case Y of large -> no; middle -> if Block =:= 11 -> yes; true -> no end end
    end,
    {Exported, Also, Size, Block, Inside, Nested, true andalso X, false andalso X, false orelse X > 1,
        true orelse never(), caught(fun() -> id(1) andalso true end), (not true) or false, true xor false, true and true}.

never() -> error(evaluated).

scopes() ->
    X = id(1),
    Shadow = fun(X) -> X + 1 end,
    Inner = fun() -> Y = X + 5, Y end,
    Y = Inner(),
    Fun = fun F(F1) when F1 > 0 -> F(F1 - 1); F(_) -> X end,
    List = [X || X <- [7, 8]],
    Later = [fun() -> Z end || Z <- [1, 2]],
    {Shadow(10), Y, Fun(2), List, [L() || L <- Later], X, (fun({X2, [X2 | _]}) -> X2; (_) -> no end)({a, [a, b]})}.

%% ---- operators and literals

operators() ->
    {A, B} = id({13, -5}),
    {
        A div B, A rem B, B rem A, A / B, -A, +A, A * B - 1, A band 7, A bor 16, A bxor 5, bnot A, A bsl 3, A bsr 1,
        B bsr 1, [1, 2, 3, 2] -- [2], [1, 2] ++ [3 | tail], [1, 2, 1] -- [1] -- [1], "ab" ++ "cd", A + B * 2 - 3 div 2,
        1 bsl 100 bsr 98, abs(B), A =:= 13 andalso not (B > 0)
    }.

comparisons() ->
    Mixed = [<<1>>, [1], #{}, {1}, atom, 1.0, 1, [], "b", {0, 0}, fun id/1],
    Ref = make_ref(),
    Other = make_ref(),
    Sorted = lists:sort(Mixed),
    {
        [case V of F when is_function(F) -> function; _ -> V end || V <- Sorted], 1 == 1.0, 1 =:= 1.0, 1 /= 1.0,
        1 =/= 1.0, 1 < a, a < {}, {} < [], {2} < {1, 1}, [1, 2] < [1, 3], Ref =:= Ref, Ref =:= Other,
        Ref < Other orelse Other < Ref,
        self() =:= self(), #{a => 1} < #{a => 2}, lists:max([1, b, {c}]), 0.0 == -0.0, [] < [a], "" =:= []
    }.

literals() ->
    {'quoted atom', 'it\'s', '', "joined " "at " "compile time", $A, $\n, "", [], {}, <<>>, #{}, 'end', [a | b], "two
lines", <<"bytes">>, nil, true}.

numbers() ->
    Huge = lists:foldl(fun(N, Product) -> N * Product end, 1, lists:seq(1, 30)),
    {
        16#ff, 2#1010, 36#Zz, 1_000_000, 1.5e3, 1.0e-10, Huge, Huge rem 1000007, -Huge, Huge bsl 64 bsr 64 =:= Huge,
        0.1 + 0.2, 1.0e308 * 0.5, trunc(-2.7), round(2.5), 7 / 2, float(3), math:pow(2, 10), 1 bsl 70,
        caught(fun() -> id(1.0e308) * id(10.0) end), caught(fun() -> id(1) div id(0) end), integer_to_list(255, 16)
    }.

%% ---- errors with the top of their stacks

errors() ->
    [top(F) || F <- [
        fun() -> only_one(id(2)) end,
        fun() -> no_case(id(2)) end,
        fun() -> no_if(id(2)) end,
        fun() -> no_match(id(2)) end,
        fun() -> no_try(id(2)) end,
        fun() -> (id(fun(X) -> X end))(1, 2) end,
        fun() -> (id(not_a_fun))(1) end,
        fun() -> ?MODULE:missing(1, 2) end,
        fun() -> (id(no_such_module)):f() end,
        fun() -> list_to_integer(id("x")) end,
        fun() -> element(id(5), {}) end,
        fun() -> lists:nth(id(0), [a]) end,
        fun() -> binary_to_atom(id(1)) end,
        fun() -> id(a) ! message end,
        fun() -> (id(fun(a, [b]) -> c end))(x, y) end
    ]].

only_one(1) -> one.
no_case(X) -> case X of 1 -> one end.
no_if(X) -> if X =:= 1 -> one end.
no_match(X) -> {ok, Y} = id(X), Y.
no_try(X) -> try id(X) of 1 -> one after id(done) end.

top(F) ->
    try
        {value, F()}
    catch
        error:{badarity, {Fun, Arguments}}:_ when is_function(Fun) ->
            {badarity, Arguments};
        error:Reason:Stack ->
            {Reason, top_entry(Stack)}
    end.

%% Without the name that the compiler gives to a fun, and without its arity, which counts the variables that it holds.
top_entry([{Module, Function, Arguments, Info} | _]) ->
    case atom_to_list(Function) of
        [$- | _] when is_integer(Arguments) -> {Module, a_fun, is_list(Info)};
        [$- | _] -> {Module, a_fun, Arguments, is_list(Info)};
        _ -> {Module, Function, Arguments, is_list(Info)}
    end.

stacks() ->
    try
        {kept, outer(3)}
    catch
        error:deep:Stack -> lists:sublist([{F, A} || {?MODULE, F, A, _} <- Stack], 5)
    end.

outer(0) -> 1 + inner(bottom);
outer(N) -> 1 + outer(N - 1).

inner(Where) -> 2 * innermost(id(Where)).

%% It could return, as far as the compiler knows, so the callers stay on the stack.
innermost(bottom) -> error(deep);
innermost(N) -> N.

%% ---- recursion

recursion(Turns) ->
    {sum_to(20_000), turns(Turns), even_steps(1001), length(build(5000, []))}.

sum_to(0) -> 0;
sum_to(N) -> N + sum_to(N - 1).

%% How much a process holds at the end of a long loop.
turns(Turns) ->
    {_, Monitor} = spawn_monitor(?MODULE, long_loop, [Turns]),
    receive
        {'DOWN', Monitor, process, _, {Turns, {memory, Bytes}}} when Bytes < 1_000_000 -> constant_memory;
        {'DOWN', Monitor, process, _, {Turns, {memory, _}}} -> growing_memory
    end.

long_loop(Turns) -> exit(counted(Turns, 0)).

counted(0, Done) -> {Done, process_info(self(), memory)};
counted(Left, Done) -> counted(Left - 1, Done + 1).

even_steps(0) -> even;
even_steps(N) -> odd_steps(N - 1).

odd_steps(0) -> odd;
odd_steps(N) -> even_steps(N - 1).

build(0, List) -> List;
build(N, List) -> build(N - 1, [N | List]).

many_arguments() ->
    Fun = fun(A, B, C, D, E, F, G, H, I, J, K, L) -> A + B + C + D + E + F + G + H + I + J + K + L end,
    Numbers = lists:seq(1, 12),
    {twelve(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), apply(?MODULE, twelve, Numbers), apply(Fun, Numbers)}.

twelve(A, B, C, D, E, F, G, H, I, J, K, L) -> [L, K, J, I, H, G, F, E, D, C, B, A].

%% ---- processes

receiving() ->
    Self = self(),
    Waiting = process_info(Self, message_queue_len),
    Self ! {first, 1},
    Self ! second,
    A = receive {first, N} when N > 0 -> {got, N} after 1000 -> late end,
    B = receive second -> {got, second}; {never, _} -> wrong end,
    C = receive anything -> wrong after 0 -> nothing end,
    D = receive after 1 -> waited end,
    Self ! 3,
    E = receive
        Number when is_integer(Number), Number rem 2 =:= 0 -> even;
        Number when is_integer(Number) -> {odd, Number}
    end,
    Take = fun Loop(Seen) -> receive {item, X} -> Loop([X | Seen]) after 0 -> reverse(Seen) end end,
    [Self ! {item, X} || X <- [a, b, c]],
    F = Take([]),
    Ref = make_ref(),
    Self ! {make_ref(), old},
    Self ! {Ref, new},
    G = receive {Ref, Value} -> Value end,
    H = receive {_, old = Left} -> Left end,
    Self ! {outer, 1},
    Self ! {inner, 2},
    I = receive {outer, O} -> receive {inner, P} -> O + P after infinity -> never end after 1000 -> late end,
    {A, B, C, D, E, F, G, H, I, Waiting =:= process_info(Self, message_queue_len)}.

selecting() ->
    Pid = spawn(?MODULE, selective, []),
    [Pid ! Message || Message <- [{low, 1}, {low, 2}, {high, 3}, {low, 4}, {high, 5}, {stop, self()}]],
    receive {order, Order} -> Order end.

%% Waits until all is there, then takes the high ones first.
selective() ->
    receive
        {stop, Pid} -> Pid ! {order, taken(high) ++ taken(low)}
    end.

taken(Kind) ->
    receive
        {Kind, N} -> [{Kind, N} | taken(Kind)]
    after 0 -> []
    end.

spawning() ->
    Self = self(),
    Pid = spawn(fun() -> receive {From, N} -> From ! {self(), N * 2} end end),
    Pid ! {Self, 21},
    Doubled = receive {Pid, Answer} -> Answer end,
    Echo = spawn(?MODULE, echo, []),
    Echo ! {Self, hello},
    Echoed = receive {Echo, What} -> What end,
    Sent = (Echo ! stop),
    Pids = [spawn(?MODULE, child, [{Self, N}]) || N <- lists:seq(1, 5)],
    {Doubled, Echoed, Sent, [receive {done, P, N} -> N end || P <- Pids], is_pid(Pid), node(Pid) =:= node()}.

child({Parent, N}) -> Parent ! {done, self(), N * N}.

echo() ->
    receive
        {From, Message} -> From ! {self(), Message}, ?MODULE:echo();
        stop -> ok
    end.

linking() ->
    Old = process_flag(trap_exit, true),
    Ends = [
        begin
            Pid = spawn_link(?MODULE, linked, [How]),
            receive {'EXIT', Pid, Reason} -> shape(Reason) end
        end
     || How <- [normal, {exit, done}, {error, oops}, {throw, ball}, crash]
    ],
    Chain = spawn_link(fun() -> spawn_link(?MODULE, linked, [{exit, chained}]), receive never -> ok end end),
    Chained = receive {'EXIT', Chain, Why} -> Why end,
    Waiting = spawn_link(?MODULE, waiter, [forever]),
    exit(Waiting, kill),
    Killed = receive {'EXIT', Waiting, Reason2} -> Reason2 end,
    Unlinked = spawn_link(?MODULE, waiter, [forever]),
    unlink(Unlinked),
    exit(Unlinked, stop),
    Silent = receive {'EXIT', Unlinked, _} -> heard after 20 -> silent end,
    exit(self(), to_myself),
    Own = receive {'EXIT', _, to_myself} -> trapped end,
    process_flag(trap_exit, Old),
    {Ends, Chained, Killed, Silent, Own}.

linked(normal) -> ok;
linked({exit, Reason}) -> exit(Reason);
linked({error, Reason}) -> error(Reason);
linked({throw, Value}) -> throw(Value);
linked(crash) -> hd(id([])).

%% An error carries the stack of the process that ended.
shape({Reason, [{Module, Function, _, _} | _]}) -> {Reason, Module, Function};
shape(Reason) -> Reason.

waiter(What) ->
    receive
        {What, From} -> From ! {finished, What}
    end.

monitoring() ->
    {Pid, Ref} = spawn_monitor(?MODULE, on_exit, [bye]),
    First = receive {'DOWN', Ref, process, Pid, Reason} -> Reason end,
    Gone = monitor(process, Pid),
    Second = receive {'DOWN', Gone, process, Pid, Why} -> Why end,
    Waiting = spawn(?MODULE, waiter, [go]),
    Dropped = monitor(process, Waiting),
    true = demonitor(Dropped, [flush]),
    Kept = monitor(process, Waiting),
    Waiting ! {go, self()},
    Third = receive {finished, go} -> receive {'DOWN', Kept, _, _, R} -> R end end,
    {First, Second, Third, receive {'DOWN', Dropped, _, _, _} -> heard after 0 -> silent end, is_process_alive(Pid)}.

on_exit(Reason) -> exit(Reason).

names() ->
    Pid = spawn(?MODULE, echo, []),
    true = register(constructs_echo, Pid),
    constructs_echo ! {self(), by_name},
    First = receive {Pid, A} -> A end,
    {constructs_echo, node()} ! {self(), by_node},
    Second = receive {Pid, B} -> B end,
    Known = whereis(constructs_echo) =:= Pid,
    unregister(constructs_echo),
    Pid ! stop,
    {First, Second, Known, whereis(constructs_echo), caught(fun() -> constructs_echo ! lost end)}.

timers() ->
    Timer = erlang:send_after(1, self(), rung),
    First = receive rung -> erlang:cancel_timer(Timer) end,
    Ref = erlang:start_timer(1, self(), message),
    Second = receive {timeout, Ref, Message} -> Message end,
    Never = erlang:send_after(100_000, self(), never),
    {First, Second, is_integer(erlang:cancel_timer(Never)), timer:sleep(1)}.

%% The dictionary of a new process is empty, and holds only what is put there.
dictionary() ->
    {Pid, Ref} = spawn_monitor(fun() ->
        Before = get(),
        undefined = put(a, 1),
        1 = put(a, 2),
        put({b, c}, [3]),
        Walked = lists:sort([{K, V} || {K, V} <- get()]),
        exit({walked, Before, Walked, get(a), get(none), erase(a), get_keys(2), lists:sort(erase()), get()})
    end),
    receive {'DOWN', Ref, process, Pid, Result} -> Result end.

server() ->
    {ok, Pid} = constructs_server:start(5),
    Answers = [gen_server:call(Pid, Request) || Request <- [read, {add, 3}, {later, 4}, read]],
    ok = gen_server:cast(Pid, {add, 10}),
    Pid ! {info, 100},
    State = sys:get_state(Pid),
    sys:replace_state(Pid, fun(Map) -> Map#{value := 1} end),
    Read = gen_server:call(Pid, read),
    TooLate = try gen_server:call(Pid, silent, 20) catch exit:{timeout, {gen_server, call, _}} -> timed_out end,
    Ref = monitor(process, Pid),
    ok = gen_server:stop(Pid),
    {Answers, State, Read, TooLate, receive {'DOWN', Ref, _, _, Reason} -> Reason end, constructs_server:loaded()}.

server_crash() ->
    {ok, Pid} = constructs_server:start(1),
    Crash =
        try
            gen_server:call(Pid, crash)
        catch
            exit:{{Reason, [_ | _]}, {gen_server, call, [_, Request | _]}} -> {Reason, Request}
        end,
    Dead = try gen_server:call(Pid, read) catch exit:{noproc, {gen_server, call, _}} -> noproc end,
    {Crash, Dead, constructs_server:start(refused)}.

%% ---- libraries that call back, tables, code made at run time

tables() ->
    Table = ets:new(constructs, [ordered_set, public, {keypos, 1}]),
    true = ets:insert(Table, [{N, N * N, even(N)} || N <- lists:seq(1, 6)]),
    Inserted = ets:insert_new(Table, {1, again, no}),
    Counter = ets:update_counter(Table, 2, {2, 10}),
    Selected = ets:select(Table, ets:fun2ms(fun({N, Square, true}) when N > 2 -> {N, Square} end)),
    Folded = ets:foldl(fun({N, _, _}, Sum) -> N + Sum end, 0, Table),
    Spawned = spawn_monitor(fun() -> exit(ets:lookup_element(Table, 3, 2)) end),
    Elsewhere = receive {'DOWN', Ref, _, _, Value} when Ref =:= element(2, Spawned) -> Value end,
    Result = {
        Inserted, Counter, ets:lookup(Table, 2), Selected, Folded, Elsewhere, ets:match(Table, {'$1', 25, '_'}),
        ets:first(Table), ets:next(Table, 1), ets:info(Table, size), ets:member(Table, 9), ets:delete(Table, 1)
    },
    ets:delete(Table),
    {Result, caught(fun() -> ets:lookup(Table, 1) =:= [] end)}.

evaluation() ->
    Bindings = erl_eval:add_binding('Start', 10, erl_eval:new_bindings()),
    [evaluate(Text, Bindings) || Text <- [
        "lists:map(fun(X) -> X + Start end, [1, 2, 3]).",
        "case Start of 10 -> {ten, [Y || Y <- [1, 2], Y > 1]}; _ -> other end.",
        "F = fun G(0) -> []; G(N) -> [N | G(N - 1)] end, F(3).",
        "try hd([]) catch error:badarg -> caught end.",
        "constructs:id(Start * 2)."
    ]].

evaluate(Text, Bindings) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    {value, Value, _} = erl_eval:exprs(Expressions, Bindings),
    Value.

compilation() ->
    Forms = [form(Text) || Text <- [
        "-module(constructs_made).", "-export([f/1]).", "f(X) when X > 0 -> [constructs:id(X) | f(X - 1)];\nf(_) -> []."
    ]],
    {ok, Module, Code} = compile:forms(Forms, []),
    {module, Module} = code:load_binary(Module, "made", Code),
    Value = Module:f(3),
    code:purge(Module),
    {Value, code:delete(Module), [element(1, Form) || Form <- Forms]}.

form(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.

attributes() ->
    {
        lists:member({main, 0}, ?MODULE:module_info(exports)), ?MODULE:module_info(module),
        erlang:function_exported(?MODULE, id, 1), erlang:function_exported(?MODULE, even, 1),
        proplists:get_value(behaviour, constructs_server:module_info(attributes))
    }.
