%% Prices of tickets in cents.
-module(tickets).
-export([main/0]).

main() ->
    Family = [{ada, 70, false}, {ben, 20, true}, {cleo, 5, false}, {dora, 40, false}],
    {[{Name, price(Person)} || {Name, _, _} = Person <- Family], total(Family)}.

price({_, Age, _}) when Age < 6 ->
    0;
price({_, Age, Student}) when Age >= 65; Student ->
    150;
price(_) ->
    250.

total(People) ->
    lists:sum([price(Person) || Person <- People]).
