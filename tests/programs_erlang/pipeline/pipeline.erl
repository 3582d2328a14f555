%% Functions composed to a pipeline.
-module(pipeline).
-export([main/0]).

main() ->
    Clean = compose([fun string:trim/1, fun string:lowercase/1, fun(Text) -> Text ++ "!" end]),
    Price = compose([fun net/1, fun(Cents) -> Cents + 250 end]),
    {Clean("  Hello "), Price(10000), (compose([]))(same)}.

net(Cents) ->
    Cents * 100 div 119.

compose(Functions) ->
    lists:foldl(fun then/2, fun(X) -> X end, Functions).

%% First G, which comes before, then F.
then(F, G) ->
    fun(X) -> G(F(X)) end.
