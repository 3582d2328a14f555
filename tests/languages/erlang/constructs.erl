%% Every construct, in ways that are easy to get wrong. Only its syntax is looked at.
-module(constructs).
-feature(maybe_expr, disable).
-behaviour(gen_server).
-export([all/1, 'quoted name'/0,
         zero/0]).
-export(['plain'/0]).
-define(NAME, plain).
-define(CALL(X), foo(X, bar, {X})).
-define(FIRST(X), X + 1).
-define(SEGMENT(X), X:16/big).
-define(TEXT, "text").
-define(REC, #r).
-define(assertEqual(A, B), ((fun(V) -> case V of A -> ok; _ -> error({??B, V}) end end)(B))).
-define(assertMatch(P, E), case E of P -> ok end).
-define(_test(E), {?LINE, fun() -> E end}).
-define(CLAUSE(X), all(X) -> {X, ??X}).
-record(r, {a, b = 1 + 2 :: integer() | fun((a) -> b), c :: <<_:8, _:_*8>>, 'd e' = #{x => [1]}}).
-type t() :: #r{} | {a, b} | fun((...) -> t()).
-spec all(X :: t()) -> t() when X :: term().

all({A, _B} = C) when is_atom(A), A =/= b; is_list(C) -> A;
all([H | T]) -> [H, [T], {} | [[]]] ++ [[], [[a]], (b)] -- [] ++ T;
?CLAUSE(five);
all(X) when X ->
    Y = Z = (catch X ! {self(), X}),
    - X + - (X) * 2 - (3 - (4)), not X andalso bnot X bor 1 =:= 2 orelse X xor Y,
    (f(X))(Y), ((f(X)))((Y)), m:f(X), (m):(f)(X), X:Y(Z), (m:f(X)):g(), fun m:f/1, fun X:Y/Z, fun f/2,
    F = fun (1) -> 2; (_) when X, Y; Z -> 3 end,
    G = fun Loop(0) -> 0; Loop(N) -> Loop(N - 1) end,
    (fun() -> ok end)(), fun() -> ok end(),
    "a" "b"
        "c\"\\", $a, $\n, $\x41, $\x{1F600}, $\101, $\^A, $ , $", $\\, $%, 'quoted\' atom', 16#FF, 1_000, 2#1010, 1.5e-3,
    <<>>, <<X>>, <<X:8, Y:Z/integer-unit:8, (X + 1):16/little-signed, "ab"/utf8, -1:8, <<1>>/binary>>,
    [X || X <- Y, X > 1, <<Z>> <= <<1, 2>>], << <<X>> || X <- Y >>, << (f(X)) || X <- [1] >>,
    [{X, Y} || {X, [Y]} <- [Z | Z], true],
    #{}, #{a => 1, {b} => [2]}, X#{a := 1, b => 2}, X#{a => 1}#{b => 2}, (f(X))#{a => 1},
    #r{}, #r{a = 1, _ = 2}, X#r{a = 1}, X#r.a, #r.a, (f(X))#r.b, X#r.a#r.b, #r{}#r.a,
    case X of 1 -> a; {2, Q} when Q -> b, c; _ -> d end,
    if X =:= 1, Y -> a; Z; Y -> b; true -> c end,
    receive {a, M} when M -> M; _ -> ok after 10 * 2 -> timeout, x end,
    receive after infinity -> ok end,
    receive x -> y end,
    try X, Y of 1 -> 2; _ when Y -> 3
    catch throw:T -> T; error:{e, _}:St when St -> St; exit:_ -> x; {thrown, _} -> y; _:_ -> z; a -> b
    after clean(), up end,
    try X catch _ -> ok end, try X after Y end,
    begin A1 = 1, A1 end, (P1) = P2 = 3, ((P3) = P4) = 4, [1, (2), ((P5) = 5) | []],
    case X of (P6) -> 1; (P7) when (P7) -> 2 end, if (X) -> 1 end, <<(X):(8)>>, [(X) || (X) <- (Y), (Z)],
    X = begin X end,
    maybe, else, {maybe, else},
    ?NAME, ?NAME(X), m:?NAME(X), ?NAME:f(X), fun ?NAME/1, fun ?MODULE:?NAME/1, ?FUNCTION_NAME(X),
    ?CALL(a * b), ?CALL(?CALL(f(X))), ?FIRST(X) = 1, ?FIRST(f)(X), ?CALL(fun(P) -> case P of _ -> {P, P} end end),
    ?TEXT "more", "more" ?TEXT ?TEXT, #?NAME{a = 1}, ?REC{a = 1}, X?REC.a, <<?SEGMENT(X), Y/bits>>, ?LINE,
    ?assertEqual(f(X), [Y | Z]), ?_test(begin X, Y end), ?assertMatch({_, 1} when X, Y),
    "ünïcödé 😀", '𝒳 y', "😀" ++ f("日本", X), Ünder = größe(X), % 😀 (
    X == Y, X /= Y, X =< Y, X < Y, X >= Y, X > Y, X =:= Y, X =/= Y, X div Y rem Z, X bsl 1 bsr 2, X and Y or Z,
    F(G), Y.

'quoted name'() -> [].
plain ( ) -> % comment. with "quotes' and $ signs.
	zero (),	[	zero ( )	|	[]	]	.
zero() -> 0. one() -> 1.%
