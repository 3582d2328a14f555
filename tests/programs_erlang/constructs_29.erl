%% What is new in OTP 29: records that are no tuples, and comprehensions of which each turn gives several elements.
-module(constructs_29).
-export([main/0, plain/0]).
-export_record([point]).

-record #point{x = 0 :: integer(), y = 10 + 5}.
-record #'odd name'{inside}.
-record(old, {a = 1, b}).

main() ->
    P = moved(#point{x = id(3)}, 4),
    {shown(P), changed(P), matched(P), matched(#old{b = P#point.x}), several(), refused(P), large(P), held(P)}.

%% Records, as this module gives them to others.
plain() -> [#point{x = 1}, #'odd name'{inside = #point{y = [a]}}].

moved(#point{x = X} = P, By) -> P#point{x = X + By}.

shown(P) -> {P#point.x, P#point.y, records:get_name(P), records:get_field_names(P), is_record(P, point), is_tuple(P)}.

changed(P) ->
    Q = P#point{y = double(P#point.y)},
    {Q#point.y, Q =:= P, Q =:= Q#constructs_29:point{x = 7}, P#_.x}.

matched(#constructs_29:point{x = X, y = Y}) -> {here, X, Y};
matched(#_{x = X}) -> {any, X};
matched(#old{b = B}) -> {old, B}.

several() ->
    {[X, -X || X <- [1, 2, 3], X =/= 2], #{X => 1, {X} => double(X) || X <- [a1, 2], is_integer(X)},
     [X, Y, X + Y || X <- [1, 2] && Y <- id([10, 20])]}.

refused(P) ->
    {try P#'odd name'.inside catch error:Reason -> element(1, Reason) end,
     try (id(#old{}))#point.x catch error:Other -> element(1, Other) end}.

%% More than is written in one piece.
large(P) ->
    Q = P#point{x = lists:seq(1, 3000), y = #'odd name'{inside = lists:duplicate(2000, P)}},
    {length(Q#point.x), length(((id(Q))#point.y)#'odd name'.inside), erlang:phash2(counted(Q))}.

counted(#point{x = X, y = #'odd name'{inside = Y}} = P) -> {length(X), length(Y), (id(P))#point.x}.

held(P) ->
    Q = #'odd name'{inside = fun(X) -> X + P#point.x end},
    ((id(Q))#'odd name'.inside)(1).

double(X) when is_integer(X) -> 2 * X.

id(X) -> X.
