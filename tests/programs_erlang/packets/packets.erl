%% Packets of one byte kind, one byte length and a body.
-module(packets).
-export([main/0]).

main() ->
    Stream = <<1, 2, "hi", 2, 2, 500:16, 1, 3, "bye">>,
    [show(Packet) || Packet <- parse(Stream)].

parse(<<>>) ->
    [];
parse(<<Kind:8, Len:8, Body:Len/bitstring, Rest/bitstring>>) ->
    [{Kind, Body} | parse(Rest)];
parse(Other) ->
    [{rest, bit_size(Other)}].

show({1, Text}) ->
    {text, Text};
show({2, <<Number:16>>}) ->
    {number, Number};
show({rest, Bits}) ->
    {rest, Bits};
show({Kind, Body}) ->
    {unknown, Kind, bit_size(Body)}.
