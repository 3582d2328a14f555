%% Accounts in a map, with transfers between them.
-module(accounts).
-export([main/0]).

main() ->
    Start = #{ann => 100, bob => 20},
    First = transfer(ann, bob, 30, Start),
    Second = transfer(bob, ann, 500, First),
    {sorted(First), sorted(Second), lists:sum(maps:values(Second))}.

sorted(Accounts) ->
    lists:sort(maps:to_list(Accounts)).

transfer(From, To, Amount, Accounts) ->
    case withdraw(From, Amount, Accounts) of
        {ok, Rest} ->
            deposit(To, Amount, Rest);
        {error, too_little} ->
            Accounts
    end.

withdraw(Name, Amount, Accounts) ->
    case Accounts of
        #{Name := Balance} when Balance >= Amount ->
            {ok, Accounts#{Name := Balance - Amount}};
        #{} ->
            {error, too_little}
    end.

deposit(Name, Amount, Accounts) ->
    maps:update_with(Name, fun(Balance) -> Balance + Amount end, Amount, Accounts).
