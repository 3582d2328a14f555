%% Shops report their sales; the office waits for the reports in a fixed order.
-module(lost_message).
-export([main/0, shop/3]).

main() ->
    Office = self(),
    Sales = [{north, [10, 20]}, {south, [5]}],
    [spawn(?MODULE, shop, [Name, Amounts, Office]) || {Name, Amounts} <- Sales],
    collect([Name || {Name, _} <- Sales], []).

shop(Name, Amounts, Office) ->
    [Office ! {sale, Name, Amount} || Amount <- Amounts],
    Office ! {total, {Name, lists:sum(Amounts)}}.

collect([], Totals) ->
    lists:reverse(Totals);
collect([Shop | Shops], Totals) ->
    receive
        {total, {Shop, Sum}} ->
            collect(Shops, [{Shop, sales(Shop), Sum} | Totals])
    end.

sales(Shop) ->
    receive
        {sale, Shop, Amount} -> [Amount | sales(Shop)]
    after 0 ->
        []
    end.
