%% Stripes in turn, by two functions that call each other.
-module(stripes).
-export([main/0]).

main() ->
    {black(5), count(white, black(5)), white(0)}.

black(0) ->
    [];
black(Left) ->
    [black | white(Left - 1)].

white(0) ->
    [];
white(Left) ->
    [white | white(Left - 1)].

count(Colour, Stripes) ->
    length([Colour || Stripe <- Stripes, Stripe =:= Colour]).
