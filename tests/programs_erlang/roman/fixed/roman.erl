%% Roman numerals there and back.
-module(roman).
-export([main/0]).

main() ->
    Years = [1987, 2024, 1444, 49],
    [{Year, list_to_atom(to_roman(Year)), from_roman(to_roman(Year))} || Year <- Years].

symbols() ->
    [{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"},
     {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"},
     {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}].

to_roman(Number) ->
    to_roman(Number, symbols()).

to_roman(0, _) ->
    "";
to_roman(Number, [{Value, Letters} | _] = Symbols) when Number >= Value ->
    Letters ++ to_roman(Number - Value, Symbols);
to_roman(Number, [_ | Symbols]) ->
    to_roman(Number, Symbols).

from_roman([]) ->
    0;
from_roman([Small, Large | Rest]) ->
    case {worth(Small), worth(Large)} of
        {S, L} when S < L -> L - S + from_roman(Rest);
        {S, _} -> S + from_roman([Large | Rest])
    end;
from_roman([Letter]) ->
    worth(Letter).

worth($I) -> 1;
worth($V) -> 5;
worth($X) -> 10;
worth($L) -> 50;
worth($C) -> 100;
worth($D) -> 500;
worth($M) -> 1000.
