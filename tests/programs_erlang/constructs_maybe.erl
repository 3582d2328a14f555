%% The construct `maybe`, which has to be enabled where this is compiled and, before OTP 27, where it runs.
-module(constructs_maybe).
-feature(maybe_expr, enable).
-export([main/0]).

main() ->
    {[both(A, B) || {A, B} <- [{1, 2}, {x, 2}, {1, y}]], plain(), nested(3), nested(-3), shadowed(), catching()}.

both(A, B) ->
    maybe
        {ok, X} ?= number(A),
        true ?= X > 0,
        {ok, Y} ?= number(B),
        {sum, X + Y}
    else
        {error, What} when is_atom(What) -> {no_number, What};
        false -> too_small
    end.

number(N) when is_integer(N) -> {ok, N};
number(Other) -> {error, Other}.

plain() ->
    [maybe {ok, X} ?= Value, X end || Value <- [{ok, 1}, other]].

nested(N) ->
    maybe
        Outer = maybe
            true ?= N > 0,
            positive
        end,
        positive ?= Outer,
        {N, Outer}
    end.

shadowed() ->
    F = fun(X) -> maybe {Y} ?= X, Y = Y, Y end end,
    {F({1}), F(2)}.

catching() ->
    try
        maybe
            {ok, X} ?= number(id(a)),
            X
        else
            {ok, _} -> never
        end
    catch
        error:Reason -> Reason
    end.

id(X) -> X.
