%% Alarms as records.
-module(alarm).
-export([main/0]).

-record(alarm, {
    hour,
    minute = 0,
    active = true
}).

main() ->
    Alarms = [new({7, 30}), new(9), silence(new(12))],
    {[show(Alarm) || Alarm <- Alarms], next(8, Alarms)}.

new({Hour, Minute}) ->
    #alarm{hour = Hour, minute = Minute};
new(Hour) ->
    #alarm{hour = Hour}.

silence(Alarm) ->
    Alarm#alarm{active = false}.

show(#alarm{hour = Hour, minute = Minute, active = Active}) ->
    {Hour * 60 + Minute, Active}.

next(Now, Alarms) ->
    case [Hour || #alarm{hour = Hour, active = true} <- Alarms, Hour >= Now] of
        [] -> none;
        Hours -> lists:min(Hours)
    end.
