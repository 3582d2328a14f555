%% Values of events: complete, with each large part stored once.
%%
%% A large list is stored as its first elements and the number of its tail, which has an event of its own the first time
%% it occurs; the same holds for large tuples, maps and binaries. A part that occurred before is recognised by its size
%% and hash. Hashing costs time: when its budget is used up, or a value is too large, parts are left out and marked.
-module(adebug_values).
-export([start/0, stored/1, stored_all/1, stored_all/2, bounded/1]).

-define(SMALL, 1024).           % parts of a value that is stored in the event itself
-define(LARGEST, 1000000).      % parts of the largest value that is stored completely
-define(CHUNK, 512).            % list elements per stored chunk
-define(PIECE, 4096).           % bytes of a binary per chunk
-define(PAIRS, 64).             % pairs of a map per chunk
-define(HASH_BUDGET, 500000000). % parts that are hashed in one run
-define(WRITE_BUDGET, 30000000). % parts that are written in events of their own
-define(TRUNCATED, 32).         % parts of each structure of a truncated value
-define(DEEP, 8).
-define(COUNTED, 1000).         % omitted elements that are counted

-define(NUMBER, 1).             % indexes of the counters
-define(HASHED, 2).
-define(WRITTEN, 3).

%% The calling process owns the table.
start() ->
    persistent_term:put(?MODULE, {atomics:new(3, []), ets:new(?MODULE, [public])}).

stored(Value) ->
    {Stored, _} = stored(Value, none),
    Stored.

stored_all(Values) ->
    {Stored, _} = lists:mapfoldl(fun stored/2, none, Values),
    Stored.

%% Values, and values that are probably parts of them.
stored_all(Values, Parts) ->
    {Stored, Last} = lists:mapfoldl(fun stored/2, none, Values),
    {StoredParts, _} = lists:mapfoldl(fun stored/2, Last, Parts),
    {Stored, StoredParts}.

%% `Last` is the list tail stored last and its number: the next value may end with the same tail.
stored(Value, Last) when is_atom(Value); is_integer(Value); is_float(Value); is_pid(Value) -> {Value, Last};
stored(Value, Last) ->
    case room_left(Value, ?SMALL) of
        Left when Left >= 0 -> {Value, Last};
        _ -> large(Value, Last)
    end.

large(Value, Last) ->
    case is_sharing() of
        true ->
            try split(Value, Last)
            catch
                throw:too_large -> {truncated(Value, ?DEEP), Last};
                error:badarg -> {truncated(Value, ?DEEP), Last}  % the program deleted all tables
            end;
        false -> {truncated(Value, ?DEEP), Last}
    end.

is_sharing() ->
    {Counters, _} = persistent_term:get(?MODULE),
    atomics:get(Counters, ?HASHED) < ?HASH_BUDGET andalso atomics:get(Counters, ?WRITTEN) < ?WRITE_BUDGET.

split(List, Last) when is_list(List) ->
    Long = list_length(List),
    {First, Rest} = split_reversed(Long rem ?CHUNK, List, []),
    case is_same(Last, Rest) of
        true -> {joined(First, element(2, Last)), Last};
        false when Long < ?CHUNK -> {joined(First, stored(Rest)), Last};
        false ->
            Number = numbered(Rest, Long - Long rem ?CHUNK),
            {joined(First, Number), {Rest, Number}}
    end;
split(Binary, Last) when is_binary(Binary) ->
    <<First:(byte_size(Binary) rem ?PIECE)/binary, Rest/binary>> = Binary,
    {{'$adebug_join', First, numbered(Rest)}, Last};
split(Fun, Last) when is_function(Fun) ->
    {a_fun(Fun), Last};
split(Value, Last) ->
    {numbered(Value), Last}.

is_same({Same, _}, Rest) -> erts_debug:same(Same, Rest);
is_same(none, _) -> false.

joined(First, Rest) -> lists:foldl(fun(Element, Tail) -> [stored(Element) | Tail] end, Rest, First).

%% The first N elements in reverse order, and the tail.
split_reversed(0, Rest, First) -> {First, Rest};
split_reversed(N, [Head | Tail], First) -> split_reversed(N - 1, Tail, [Head | First]).

%% Number of a value, which is stored the first time it occurs. `Size` is the length of a list, and part of its key.

numbered(List) when is_list(List) -> numbered(List, list_length(List));
numbered(Value) -> numbered(Value, parts(Value)).

numbered(Value, Size) ->
    {Counters, Table} = persistent_term:get(?MODULE),
    SizeKey = {Size, beginning_hash(Value)},
    Parts = case ets:lookup(Table, SizeKey) of
        [{_, Known}] -> Known;
        [] -> parts(Value)
    end,
    atomics:add(Counters, ?HASHED, Parts),
    Key = {Size, erlang:phash2(Value, 1 bsl 32), erlang:phash2([adebug | Value], 1 bsl 32)},
    case ets:lookup(Table, Key) of
        [{_, Number}] -> {'$adebug_ref', Number};
        [] ->
            ets:insert(Table, {SizeKey, Parts}),
            Number = emit(written(Value), Counters),
            ets:insert(Table, {Key, Number}),
            {'$adebug_ref', Number}
    end.

emit(Written, Counters) ->
    atomics:add(Counters, ?WRITTEN, ?LARGEST - room_left(Written, ?LARGEST)),
    Number = atomics:add_get(Counters, ?NUMBER, 1),
    adebug_recorder:event(<<$l, Number:48, 0:32, 0:16>>, Written),
    Number.

%% Number of parts; throws `too_large`.
parts(Value) ->
    case room_left(Value, ?LARGEST) of
        Left when Left >= 0 -> ?LARGEST - Left;
        _ -> throw(too_large)
    end.

%% Lists of equal length and beginning have about as many parts, so they are counted once.
beginning_hash([A, B, C | _]) -> erlang:phash2({bounded(A, ?TRUNCATED), bounded(B, ?TRUNCATED), bounded(C, ?TRUNCATED)});
beginning_hash(_) -> other.

%% A value with its large parts replaced by their numbers.
written(List) when is_list(List) ->
    {First, Rest} = split_reversed(min(list_length(List), ?CHUNK), List, []),
    joined(First, case Rest of [_ | _] -> numbered(Rest); _ -> stored(Rest) end);
written(Tuple) when is_tuple(Tuple) ->
    list_to_tuple(stored_all(tuple_to_list(Tuple)));
written(Map) when is_map(Map), map_size(Map) =< ?PAIRS ->
    {'$adebug_map', [[{stored(Key), stored(Value)} || {Key, Value} <- maps:to_list(Map)]]};
written(Map) when is_map(Map) ->
    Groups = maps:groups_from_list(fun({Key, _}) -> erlang:phash2(Key, groups(map_size(Map), 1)) end, maps:to_list(Map)),
    {'$adebug_map', [numbered(Group) || Group <- maps:values(Groups)]};
written(Binary) when byte_size(Binary) > ?PIECE, is_binary(Binary) ->
    <<First:?PIECE/binary, Rest/binary>> = Binary,
    {'$adebug_join', First, numbered(Rest)};
written(Other) ->
    case is_plain(Other) of
        true -> Other;
        false ->
            {Module, Name, IsExported, Fields} = of_record(Other),
            {'$adebug_record', Module, Name, IsExported, [{Key, stored(Value)} || {Key, Value} <- Fields]}
    end.

%% Whether a value has no terms inside. Native records exist from OTP 29 on, and so does the module `records`.
is_plain(Value) ->
    is_bitstring(Value) orelse is_atom(Value) orelse is_number(Value) orelse is_pid(Value) orelse is_reference(Value)
        orelse is_port(Value) orelse is_function(Value).

of_record(Record) ->
    Keys = records:get_field_names(Record),
    {records:get_module(Record), records:get_name(Record), records:is_exported(Record),
     [{Key, records:get(Key, Record)} || Key <- Keys]}.

%% About as many groups as pairs per group; a power of 2, so that the number seldom changes.
groups(Size, N) when N * N < Size -> groups(Size, 2 * N);
groups(_, N) -> N.

%% A fun of recorded code that captured a large value, identified by its frame and site.
a_fun(Fun) ->
    {arity, Arity} = erlang:fun_info(Fun, arity),
    {module, Module} = erlang:fun_info(Fun, module),
    case [Made || {adebug_fun, _, _} = Made <- environment(Fun)] of
        [Made | _] -> {'$adebug_fun', Module, Arity, Made};
        [] -> '$adebug_deep'
    end.

%% A value, truncated and marked if it is too large.

bounded(Value) -> bounded(Value, ?LARGEST).

bounded(Value, Most) ->
    case room_left(Value, Most) of
        Left when Left >= 0 -> Value;
        _ -> truncated(Value, ?DEEP)
    end.

room_left(_, Left) when Left < 0 -> Left;
room_left([Head | Tail], Left) -> room_left(Tail, room_left(Head, Left - 1));
room_left(Tuple, Left) when is_tuple(Tuple) -> room_left_in_tuple(Tuple, tuple_size(Tuple), Left - 1);
room_left(Map, Left) when is_map(Map), map_size(Map) > Left -> -1;
room_left(Map, Left) when is_map(Map) -> maps:fold(fun(K, V, Rest) -> room_left(V, room_left(K, Rest)) end, Left - 1, Map);
room_left(Bits, Left) when is_bitstring(Bits) -> Left - 1 - byte_size(Bits) div 4;
room_left(Fun, Left) when is_function(Fun) -> room_left(environment(Fun), Left - 1);
room_left(Big, Left) when is_integer(Big), (Big > 1 bsl 512 orelse Big < -(1 bsl 512)) -> Left - 64;
room_left(Value, Left) when is_atom(Value); is_number(Value); is_pid(Value); is_reference(Value); is_port(Value); Value =:= [] ->
    Left - 1;
room_left(Record, Left) -> room_left(of_record(Record), Left).

room_left_in_tuple(_, _, Left) when Left < 0 -> Left;
room_left_in_tuple(_, 0, Left) -> Left;
room_left_in_tuple(Tuple, N, Left) -> room_left_in_tuple(Tuple, N - 1, room_left(element(N, Tuple), Left)).

environment(Fun) ->
    case erlang:fun_info(Fun, type) of
        {type, local} -> element(2, erlang:fun_info(Fun, env));
        _ -> []
    end.

truncated(_, 0) -> '$adebug_deep';
truncated(List, Depth) when is_list(List) -> truncated_list(List, ?TRUNCATED, Depth - 1);
truncated(Tuple, Depth) when is_tuple(Tuple), tuple_size(Tuple) =< ?TRUNCATED ->
    list_to_tuple([truncated(E, Depth - 1) || E <- tuple_to_list(Tuple)]);
truncated(Tuple, Depth) when is_tuple(Tuple) ->
    Stored = [truncated(element(N, Tuple), Depth - 1) || N <- lists:seq(1, ?TRUNCATED)],
    list_to_tuple(Stored ++ [{'$adebug_more', tuple_size(Tuple) - ?TRUNCATED}]);
truncated(Map, Depth) when is_map(Map), map_size(Map) =< ?TRUNCATED ->
    maps:map(fun(_, V) -> truncated(V, Depth - 1) end, Map);
truncated(Map, Depth) when is_map(Map) ->
    Stored = some_pairs(maps:next(maps:iterator(Map)), ?TRUNCATED),
    maps:from_list([{'$adebug_more', map_size(Map) - ?TRUNCATED} | [{K, truncated(V, Depth - 1)} || {K, V} <- Stored]]);
truncated(Bits, _) when is_bitstring(Bits), byte_size(Bits) > 256 ->
    {'$adebug_bits', binary:part(<<Bits/bitstring, 0:((8 - bit_size(Bits) rem 8) rem 8)>>, 0, 256), bit_size(Bits)};
truncated(Fun, _) when is_function(Fun) ->
    case room_left(Fun, ?SMALL) of
        Left when Left >= 0 -> Fun;
        _ -> a_fun(Fun)
    end;
truncated(Big, _) when is_integer(Big), (Big > 1 bsl 8192 orelse Big < -(1 bsl 8192)) -> '$adebug_deep';
truncated(Other, Depth) ->
    case is_plain(Other) of
        true -> Other;
        false ->
            {Module, Name, IsExported, Fields} = of_record(Other),
            {'$adebug_record', Module, Name, IsExported, [{Key, truncated(Value, Depth - 1)} || {Key, Value} <- Fields]}
    end.

some_pairs({Key, Value, Next}, N) when N > 0 -> [{Key, Value} | some_pairs(maps:next(Next), N - 1)];
some_pairs(_, _) -> [].

truncated_list([], _, _) -> [];
truncated_list([Head | Tail], N, Depth) when N > 0 -> [truncated(Head, Depth) | truncated_list(Tail, N - 1, Depth)];
truncated_list([_ | _] = Rest, _, _) -> [{'$adebug_more', count(Rest, 0)}];
truncated_list(Tail, _, Depth) -> truncated(Tail, Depth).

%% Number of elements; 0 if there are very many.
count(_, ?COUNTED) -> 0;
count([_ | Rest], N) -> count(Rest, N + 1);
count(_, N) -> N.

list_length(List) ->
    try length(List)
    catch error:badarg -> list_length(List, 0)
    end.

list_length([_ | Rest], N) -> list_length(Rest, N + 1);
list_length(_, N) -> N.
