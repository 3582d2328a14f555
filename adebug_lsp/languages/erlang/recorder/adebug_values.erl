%% Values as events carry them: whole, and each large part of them written once.
%%
%% A large list is a few elements and the number of what comes after them, which was told in an event of its own when it
%% was met first; so are large tuples, maps and binaries. What was met before is known by its size and a digest, which
%% costs time: when that is spent, or a value is too large, there are marks where something is left out.
-module(adebug_values).
-export([start/0, kept/1, kept_all/1, kept_all/2, bounded/1]).

-define(SMALL, 1024).           % parts of a value that stand in the event itself
-define(LARGEST, 1000000).      % parts of the largest value that is kept whole
-define(CHUNK, 512).            % elements of a list that are written together
-define(PIECE, 4096).           % bytes of a binary that are
-define(PAIRS, 64).             % pairs of a map that are
-define(DIGESTED, 500000000).   % parts that are digested in one run
-define(WRITTEN, 30000000).     % parts that are written as large ones
-define(SOME, 32).              % parts of each structure of a value that is cut
-define(DEEP, 8).
-define(COUNTED, 1000).         % elements that were left out and are counted

-define(NUMBER, 1).             % counters
-define(DIGEST, 2).
-define(WROTE, 3).

%% Its table is the calling process's.
start() ->
    persistent_term:put(?MODULE, {atomics:new(3, []), ets:new(?MODULE, [public])}).

kept(Value) ->
    {Kept, _} = kept(Value, none),
    Kept.

kept_all(Values) ->
    {Kept, _} = lists:mapfoldl(fun kept/2, none, Values),
    Kept.

%% Values and those that are probably parts of them.
kept_all(Values, Parts) ->
    {Kept, Met} = lists:mapfoldl(fun kept/2, none, Values),
    {KeptParts, _} = lists:mapfoldl(fun kept/2, Met, Parts),
    {Kept, KeptParts}.

%% `Met` is the end of a list that was met last, and its number: the next value may end in the very same.
kept(Value, Met) when is_atom(Value); is_integer(Value); is_float(Value); is_pid(Value) -> {Value, Met};
kept(Value, Met) ->
    case room(Value, ?SMALL) of
        Left when Left >= 0 -> {Value, Met};
        _ -> large(Value, Met)
    end.

large(Value, Met) ->
    case is_sharing() of
        true ->
            try split(Value, Met)
            catch
                throw:too_large -> {cut(Value, ?DEEP), Met};
                error:badarg -> {cut(Value, ?DEEP), Met}  % the program has deleted all tables
            end;
        false -> {cut(Value, ?DEEP), Met}
    end.

is_sharing() ->
    {Counters, _} = persistent_term:get(?MODULE),
    atomics:get(Counters, ?DIGEST) < ?DIGESTED andalso atomics:get(Counters, ?WROTE) < ?WRITTEN.

split(List, Met) when is_list(List) ->
    Long = long(List),
    {First, Rest} = beginning(Long rem ?CHUNK, List, []),
    case is_same(Met, Rest) of
        true -> {joined(First, element(2, Met)), Met};
        false when Long < ?CHUNK -> {joined(First, kept(Rest)), Met};
        false ->
            Number = numbered(Rest, Long - Long rem ?CHUNK),
            {joined(First, Number), {Rest, Number}}
    end;
split(Binary, Met) when is_binary(Binary) ->
    <<First:(byte_size(Binary) rem ?PIECE)/binary, Rest/binary>> = Binary,
    {{'$adebug_join', First, numbered(Rest)}, Met};
split(Fun, Met) when is_function(Fun) ->
    {a_fun(Fun), Met};
split(Value, Met) ->
    {numbered(Value), Met}.

is_same({Same, _}, Rest) -> erts_debug:same(Same, Rest);
is_same(none, _) -> false.

joined(First, Rest) -> lists:foldl(fun(Element, Tail) -> [kept(Element) | Tail] end, Rest, First).

%% The first elements, the last of them first, and what comes after them.
beginning(0, Rest, First) -> {First, Rest};
beginning(N, [Head | Tail], First) -> beginning(N - 1, Tail, [Head | First]).

%% A value by its number; where it is met first, it is written. Size is the length of a list, and tells values apart.

numbered(List) when is_list(List) -> numbered(List, long(List));
numbered(Value) -> numbered(Value, parts(Value)).

numbered(Value, Size) ->
    {Counters, Table} = persistent_term:get(?MODULE),
    Likely = {Size, beginning_of(Value)},
    Parts = case ets:lookup(Table, Likely) of
        [{_, Known}] -> Known;
        [] -> parts(Value)
    end,
    atomics:add(Counters, ?DIGEST, Parts),
    Key = {Size, erlang:phash2(Value, 1 bsl 32), erlang:phash2([adebug | Value], 1 bsl 32)},
    case ets:lookup(Table, Key) of
        [{_, Number}] -> {'$adebug_ref', Number};
        [] ->
            ets:insert(Table, {Likely, Parts}),
            Number = told(written(Value), Counters),
            ets:insert(Table, {Key, Number}),
            {'$adebug_ref', Number}
    end.

told(Written, Counters) ->
    atomics:add(Counters, ?WROTE, ?LARGEST - room(Written, ?LARGEST)),
    Number = atomics:add_get(Counters, ?NUMBER, 1),
    adebug_recorder:event(<<$l, Number:48, 0:32, 0:16>>, Written),
    Number.

%% How many parts there are, if not too many.
parts(Value) ->
    case room(Value, ?LARGEST) of
        Left when Left >= 0 -> ?LARGEST - Left;
        _ -> throw(too_large)
    end.

%% Lists of the same length that begin in the same way have about as many parts, so that they are not counted again.
beginning_of([A, B, C | _]) -> erlang:phash2({bounded(A, ?SOME), bounded(B, ?SOME), bounded(C, ?SOME)});
beginning_of(_) -> other.

%% A value with its large parts as numbers.
written(List) when is_list(List) ->
    {First, Rest} = beginning(min(long(List), ?CHUNK), List, []),
    joined(First, case Rest of [_ | _] -> numbered(Rest); _ -> kept(Rest) end);
written(Tuple) when is_tuple(Tuple) ->
    list_to_tuple(kept_all(tuple_to_list(Tuple)));
written(Map) when is_map(Map), map_size(Map) =< ?PAIRS ->
    {'$adebug_map', [[{kept(Key), kept(Value)} || {Key, Value} <- maps:to_list(Map)]]};
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
            {'$adebug_record', Module, Name, IsExported, [{Key, kept(Value)} || {Key, Value} <- Fields]}
    end.

%% All that is no structure with terms in it, and no record of OTP 29, for which there is a module only there.
is_plain(Value) ->
    is_bitstring(Value) orelse is_atom(Value) orelse is_number(Value) orelse is_pid(Value) orelse is_reference(Value)
        orelse is_port(Value) orelse is_function(Value).

of_record(Record) ->
    Keys = records:get_field_names(Record),
    {records:get_module(Record), records:get_name(Record), records:is_exported(Record),
     [{Key, records:get(Key, Record)} || Key <- Keys]}.

%% As many groups as each has pairs, about, and seldom another number of them.
groups(Size, N) when N * N < Size -> groups(Size, 2 * N);
groups(_, N) -> N.

%% A fun of recorded code that holds something large, by where it was made.
a_fun(Fun) ->
    {arity, Arity} = erlang:fun_info(Fun, arity),
    {module, Module} = erlang:fun_info(Fun, module),
    case [Made || {adebug_fun, _, _} = Made <- environment(Fun)] of
        [Made | _] -> {'$adebug_fun', Module, Arity, Made};
        [] -> '$adebug_deep'
    end.

%% A value as it is, or with marks where something is left out.

bounded(Value) -> bounded(Value, ?LARGEST).

bounded(Value, Most) ->
    case room(Value, Most) of
        Left when Left >= 0 -> Value;
        _ -> cut(Value, ?DEEP)
    end.

room(_, Left) when Left < 0 -> Left;
room([Head | Tail], Left) -> room(Tail, room(Head, Left - 1));
room(Tuple, Left) when is_tuple(Tuple) -> room_in_tuple(Tuple, tuple_size(Tuple), Left - 1);
room(Map, Left) when is_map(Map), map_size(Map) > Left -> -1;
room(Map, Left) when is_map(Map) -> maps:fold(fun(K, V, Rest) -> room(V, room(K, Rest)) end, Left - 1, Map);
room(Bits, Left) when is_bitstring(Bits) -> Left - 1 - byte_size(Bits) div 4;
room(Fun, Left) when is_function(Fun) -> room(environment(Fun), Left - 1);
room(Big, Left) when is_integer(Big), (Big > 1 bsl 512 orelse Big < -(1 bsl 512)) -> Left - 64;
room(Value, Left) when is_atom(Value); is_number(Value); is_pid(Value); is_reference(Value); is_port(Value); Value =:= [] ->
    Left - 1;
room(Record, Left) -> room(of_record(Record), Left).

room_in_tuple(_, _, Left) when Left < 0 -> Left;
room_in_tuple(_, 0, Left) -> Left;
room_in_tuple(Tuple, N, Left) -> room_in_tuple(Tuple, N - 1, room(element(N, Tuple), Left)).

environment(Fun) ->
    case erlang:fun_info(Fun, type) of
        {type, local} -> element(2, erlang:fun_info(Fun, env));
        _ -> []
    end.

cut(_, 0) -> '$adebug_deep';
cut(List, Depth) when is_list(List) -> cut_list(List, ?SOME, Depth - 1);
cut(Tuple, Depth) when is_tuple(Tuple), tuple_size(Tuple) =< ?SOME ->
    list_to_tuple([cut(E, Depth - 1) || E <- tuple_to_list(Tuple)]);
cut(Tuple, Depth) when is_tuple(Tuple) ->
    Kept = [cut(element(N, Tuple), Depth - 1) || N <- lists:seq(1, ?SOME)],
    list_to_tuple(Kept ++ [{'$adebug_more', tuple_size(Tuple) - ?SOME}]);
cut(Map, Depth) when is_map(Map), map_size(Map) =< ?SOME ->
    maps:map(fun(_, V) -> cut(V, Depth - 1) end, Map);
cut(Map, Depth) when is_map(Map) ->
    Kept = some_pairs(maps:next(maps:iterator(Map)), ?SOME),
    maps:from_list([{'$adebug_more', map_size(Map) - ?SOME} | [{K, cut(V, Depth - 1)} || {K, V} <- Kept]]);
cut(Bits, _) when is_bitstring(Bits), byte_size(Bits) > 256 ->
    {'$adebug_bits', binary:part(<<Bits/bitstring, 0:((8 - bit_size(Bits) rem 8) rem 8)>>, 0, 256), bit_size(Bits)};
cut(Fun, _) when is_function(Fun) ->
    case room(Fun, ?SMALL) of
        Left when Left >= 0 -> Fun;
        _ -> a_fun(Fun)
    end;
cut(Big, _) when is_integer(Big), (Big > 1 bsl 8192 orelse Big < -(1 bsl 8192)) -> '$adebug_deep';
cut(Other, Depth) ->
    case is_plain(Other) of
        true -> Other;
        false ->
            {Module, Name, IsExported, Fields} = of_record(Other),
            {'$adebug_record', Module, Name, IsExported, [{Key, cut(Value, Depth - 1)} || {Key, Value} <- Fields]}
    end.

some_pairs({Key, Value, Next}, N) when N > 0 -> [{Key, Value} | some_pairs(maps:next(Next), N - 1)];
some_pairs(_, _) -> [].

cut_list([], _, _) -> [];
cut_list([Head | Tail], N, Depth) when N > 0 -> [cut(Head, Depth) | cut_list(Tail, N - 1, Depth)];
cut_list([_ | _] = Rest, _, _) -> [{'$adebug_more', counted(Rest, 0)}];
cut_list(Tail, _, Depth) -> cut(Tail, Depth).

%% How many elements there are; 0 for very many.
counted(_, ?COUNTED) -> 0;
counted([_ | Rest], N) -> counted(Rest, N + 1);
counted(_, N) -> N.

long(List) ->
    try length(List)
    catch error:badarg -> long(List, 0)
    end.

long([_ | Rest], N) -> long(Rest, N + 1);
long(_, N) -> N.
