%% Grades from points, and how often each was given.
-module(grades).
-export([main/0]).

main() ->
    Points = [90, 74, 12, 95, 50],
    Grades = [grade(P) || P <- Points],
    {Grades, histogram(Grades)}.

grade(Points) ->
    if
        Points > 90 -> excellent;
        Points >= 50, Points < 75 -> pass;
        Points >= 75 -> good;
        true -> fail
    end.

histogram(Grades) ->
    lists:sort(maps:to_list(lists:foldl(fun count/2, #{}, Grades))).

count(Grade, Counts) ->
    Counts#{Grade => maps:get(Grade, Counts, 0) + 1}.
