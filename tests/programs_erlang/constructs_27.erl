%% What is new in OTP 27: strings between three quotes, sigils, documentation, and `maybe` that nobody has to enable.
-module(constructs_27).
-moduledoc """
Constructs. With "quotes" and a dot. -spec in_it() -> no.
""".
-export([main/0, both/2]).

main() ->
    {strings(), sigils(), [both(A, B) || {A, B} <- [{1, 2}, {x, 2}, {1, y}]], lengths(~"straße"), escaped(), ends()}.

strings() ->
    First = """
        one
          "two" \n
        three
        """,
    {First, """
     """, """"
     """
     """"}.

sigils() ->
    {~"binary", ~b"b\n", ~B"B\n", ~s"s\n", ~S[S\n], ~S(a "quoted" one), ~b{x}, ~|y|, ~B/z/, ~"""
        block
        """}.

-doc "Both are numbers.".
both(A, B) ->
    maybe
        {ok, X} ?= number(A),
        {ok, Y} ?= number(B),
        {sum, X + Y}
    else
        {error, What} -> {no_number, What}
    end.

number(N) when is_integer(N) -> {ok, N};
number(Other) -> {error, Other}.

lengths(<<Text/binary>>) -> {byte_size(Text), string:length(Text)}.

escaped() -> {[$", $~, $\s], ~s'it\'s', ~S`\\`, "~"}.

ends() ->
    case ~"x" of
        ~"x" -> number(1);
        ~"y" -> number(2)
    end.
