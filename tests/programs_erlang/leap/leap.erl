%% Days between the starts of years.
-module(leap).
-export([main/0]).

main() ->
    {days(1999, 2001), days(1899, 1901), [Year || Year <- [1900, 2000, 2023, 2024], is_leap(Year)]}.

days(From, To) when From >= To ->
    0;
days(From, To) ->
    length_of(From) + days(From + 1, To).

length_of(Year) ->
    case is_leap(Year) of
        true -> 366;
        false -> 365
    end.

is_leap(Year) when Year rem 400 =:= 0 ->
    true;
is_leap(Year) ->
    Year rem 4 =:= 0.
