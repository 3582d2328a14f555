%% Prices and rebates in cents.
-module(shop_prices).
-export([line/2]).

line(Article, Count) ->
    Cents = Count * price(Article),
    Cents - rebate(Count, Cents).

price(pen) -> 120;
price(book) -> 1450.

rebate(Count, Cents) when Count >= 10 ->
    Cents div 10;
rebate(_, _) ->
    0.
