%% Words counted part by part in processes of their own, then put together.
-module(map_reduce).
-export([main/0, count/2]).

main() ->
    Parts = [[fox, dog, fox], [dog, cat], [fox]],
    Refs = [start(Part) || Part <- Parts],
    lists:sort(maps:to_list(reduce(Refs, #{}))).

start(Part) ->
    Ref = make_ref(),
    spawn(?MODULE, count, [Part, {self(), Ref}]),
    Ref.

count(Part, {Pid, Ref}) ->
    Counts = lists:foldl(fun(Word, Found) -> add(Word, 1, Found) end, #{}, Part),
    Pid ! {Ref, Counts}.

add(Word, Times, Counts) ->
    Counts#{Word => maps:get(Word, Counts, 0) + Times}.

reduce([], Total) ->
    Total;
reduce([Ref | Refs], Total) ->
    receive
        {Ref, Counts} -> reduce(Refs, maps:fold(fun add/3, Total, Counts))
    end.
