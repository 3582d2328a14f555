%% The worth of an inventory that is a map of counts.
-module(inventory).
-export([main/0]).

main() ->
    Store = #{bolt => 100, nut => 50, saw => 2},
    {worth(Store), worth(#{}), scarce(Store)}.

price(bolt) -> 3;
price(nut) -> 2;
price(saw) -> 900.

worth(Store) ->
    maps:fold(fun(Article, Count, Sum) -> Sum + Count * price(Article) end, 0, Store).

scarce(Store) ->
    maps:keys(maps:filter(fun(_, Count) -> Count < 10 end, Store)).
