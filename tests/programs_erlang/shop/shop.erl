%% A basket in a shop; prices are in a module of their own.
-module(shop).
-export([main/0]).

main() ->
    {basket([{pen, 2}, {book, 1}]), basket([{pen, 12}])}.

basket(Lines) ->
    lists:sum([shop_prices:line(Article, Count) || {Article, Count} <- Lines]).
