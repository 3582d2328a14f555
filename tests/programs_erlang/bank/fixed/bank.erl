%% An account as a gen_server.
-module(bank).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Account} = gen_server:start(?MODULE, 100, []),
    Answers = [gen_server:call(Account, Request) || Request <- [{withdraw, 30}, {withdraw, 200}, balance]],
    gen_server:cast(Account, {deposit, 5}),
    Last = gen_server:call(Account, balance),
    gen_server:stop(Account),
    {Answers, Last}.

init(Balance) ->
    {ok, Balance}.

handle_call(balance, _From, Balance) ->
    {reply, Balance, Balance};
handle_call({withdraw, Amount}, _From, Balance) ->
    case Balance - Amount of
        New when New < 0 -> {reply, {refused, Balance}, Balance};
        New -> {reply, {ok, New}, New}
    end.

handle_cast({deposit, Amount}, Balance) ->
    {noreply, Balance + Amount}.
