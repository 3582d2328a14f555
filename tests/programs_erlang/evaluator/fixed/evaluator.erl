%% Evaluates expressions with variables.
-module(evaluator).
-export([main/0]).

main() ->
    Env = #{x => 2, y => 5},
    Plain = {add, {var, x}, {mul, {num, 3}, {var, y}}},
    Shadowed = {'let', x, {num, 10}, {sub, {var, x}, {var, y}}},
    {eval(Plain, Env), eval(Shadowed, Env), eval({neg, {num, 4}}, Env)}.

eval({num, N}, _) ->
    N;
eval({var, Name}, Env) ->
    maps:get(Name, Env);
eval({neg, E}, Env) ->
    -eval(E, Env);
eval({add, A, B}, Env) ->
    eval(A, Env) + eval(B, Env);
eval({mul, A, B}, Env) ->
    eval(A, Env) * eval(B, Env);
eval({'let', Name, Value, Body}, Env) ->
    Inner = Env#{Name => eval(Value, Env)},
    eval(Body, Inner);
eval({sub, A, B}, Env) ->
    eval(A, Env) - eval(B, Env).
