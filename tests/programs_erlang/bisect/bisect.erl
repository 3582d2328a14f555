%% Binary search in a tuple; the place is between Low and High.
-module(bisect).
-export([main/0]).

main() ->
    Table = {2, 3, 5, 7, 11, 13},
    [find(Value, Table) || Value <- [7, 13, 4]].

find(Value, Table) ->
    find(Value, Table, 1, tuple_size(Table)).

find(_, _, Low, High) when Low > High ->
    none;
find(Value, Table, Low, High) ->
    Middle = (Low + High) div 2,
    case element(Middle, Table) of
        Value -> {at, Middle};
        Larger when Larger > Value -> find(Value, Table, Low, Middle);
        _ -> find(Value, Table, Middle + 1, High)
    end.
