%% A turnstile that is opened by coins and locked by passing.
-module(turnstile).
-export([main/0]).

main() ->
    {run([coin, push, push]), run([coin, coin, push, coin, push])}.

run(Events) ->
    lists:foldl(fun step/2, {locked, 0}, Events).

step(Event, {State, Passed}) ->
    case {State, Event} of
        {locked, coin} -> {open, Passed};
        {locked, push} -> {locked, Passed};
        {open, coin} -> {open, Passed};
        {open, push} -> {locked, Passed + 1}
    end.
