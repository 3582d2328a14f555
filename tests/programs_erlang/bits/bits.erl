%% Bits and bytes with binary comprehensions.
-module(bits).
-export([main/0]).

main() ->
    Mask = <<2#10110010, 2#00001111>>,
    {ones(Mask), invert(Mask), high_nibbles(Mask)}.

ones(Bytes) ->
    length([set || <<1:1>> <= Bytes]).

invert(Bytes) ->
    << <<(1 - Bit):2>> || <<Bit:1>> <= Bytes >>.

high_nibbles(Bytes) ->
    [High || <<High:4, _:4>> <= Bytes].
