%% Splits a formula into tokens, parses them and computes the value.
-module(tokenizer).
-export([main/0]).

main() ->
    [{Formula, value(Formula)} || Formula <- ['9-3-2', '2*3+4', '2*(3+4)-1']].

value(Formula) ->
    {Tree, []} = sum(tokens(atom_to_list(Formula))),
    compute(Tree).

tokens([]) ->
    [];
tokens([Digit | _] = Text) when Digit >= $0, Digit =< $9 ->
    {Digits, Rest} = lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, Text),
    [list_to_integer(Digits) | tokens(Rest)];
tokens([Sign | Rest]) ->
    [list_to_atom([Sign]) | tokens(Rest)].

sum(Tokens) ->
    {Left, Rest} = product(Tokens),
    more(Left, Rest).

more(Left, ['+' | Tokens]) ->
    {Right, Rest} = product(Tokens),
    more({'+', Left, Right}, Rest);
more(Left, ['-' | Tokens]) ->
    {Right, Rest} = product(Tokens),
    more({'-', Left, Right}, Rest);
more(Tree, Rest) ->
    {Tree, Rest}.

product(Tokens) ->
    case factor(Tokens) of
        {Left, ['*' | More]} ->
            {Right, Rest} = product(More),
            {{'*', Left, Right}, Rest};
        Done ->
            Done
    end.

factor([Number | Rest]) when is_integer(Number) ->
    {Number, Rest};
factor(['(' | Tokens]) ->
    {Tree, [')' | Rest]} = sum(Tokens),
    {Tree, Rest}.

compute(Number) when is_integer(Number) -> Number;
compute({'+', A, B}) -> compute(A) + compute(B);
compute({'-', A, B}) -> compute(A) - compute(B);
compute({'*', A, B}) -> compute(A) * compute(B).
