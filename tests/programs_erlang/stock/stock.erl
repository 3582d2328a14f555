%% What has to be bought to supply all orders, given what is in stock.
-module(stock).
-export([test/0, check_orders/2]).

test() ->
    Orders = [[{item, water, 3}, {item, rice, 3}], [{item, rice, 4}]],
    Stock = [{item, rice, 5}, {item, water, 1}, {item, saffron, 8}],
    check_orders(Orders, Stock).

check_orders(Orders, Stock) ->
    Together = unify_orders(lists:append(Orders)),
    check_order(Together, Stock).

%% One tuple for each name.
unify_orders([]) ->
    [];
unify_orders([{item, Name, Quantity} | Rest]) ->
    {Same, Others} = lists:partition(fun({item, Other, _}) -> Other =:= Name end, Rest),
    Total = lists:foldl(fun({item, _, More}, Sum) -> Sum + More end, Quantity, Same),
    [{item, Name, Total} | unify_orders(Others)].

check_order(Order, Stock) ->
    lists:filtermap(fun(Item) -> check_item(Item, Stock) end, Order).

check_item(Needed = {item, Name, Wanted}, Stock) ->
    ItemStock = lists:keyfind(Name, 1, Stock),
    case ItemStock of
        {item, Name, Present} ->
            if
                Wanted > Present -> {true, {item, Name, Wanted - Present}};
                true -> false
            end;
        false ->
            {true, Needed}
    end.
