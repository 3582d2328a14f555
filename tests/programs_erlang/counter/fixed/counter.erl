%% Two processes add to a counter that is a process; each waits for its turn to write.
-module(counter).
-export([main/0, counter/1, adder/3]).

main() ->
    Counter = spawn(?MODULE, counter, [0]),
    Adders = [spawn(?MODULE, adder, [self(), Counter, Amount]) || Amount <- [5, 7]],
    [receive {ready, Adder} -> ok end || Adder <- Adders],
    [begin Adder ! go, receive {done, Adder} -> ok end end || Adder <- Adders],
    read(Counter).

counter(Value) ->
    receive
        {read, Pid} -> Pid ! {value, Value}, counter(Value);
        {set, New} -> counter(New)
    end.

read(Counter) ->
    Counter ! {read, self()},
    receive
        {value, Value} -> Value
    end.

adder(Main, Counter, Amount) ->
    Main ! {ready, self()},
    receive go -> ok end,
    Value = read(Counter),
    Counter ! {set, Value + Amount},
    Main ! {done, self()}.
