%% What the compiler's own front end says about files: every node of their code, and whether a text gives that node.
-module(program).
-export([main/1]).

%% nodes OUT FILE...: writes OUT/N for the N-th file; same OUT FILE...: compares with the spans in OUT/N.spans.
main(["nodes", Out | Files]) ->
    each(Out, Files, fun(Name, File) ->
        {Encoding, Nodes} = read(File),
        Macros = macros(scan(text(File, Encoding, unicode)), #{}),
        ok = file:write_file(Name, [atom_to_list(Encoding) | [line(Node, Macros) || Node <- Nodes]])
    end);
main(["same", Out | Files]) ->
    each(Out, Files, fun(Name, File) ->
        {Encoding, Nodes} = read(File),
        Text = text(File, Encoding, utf32),
        {ok, Spans} = file:consult(Name ++ ".spans"),
        All = list_to_tuple([Node || {_, _, _, Node} <- Nodes]),
        Results = [result(element(N + 1, All), binary:part(Text, S * 4, (E - S) * 4), N) || {N, S, E} <- Spans],
        ok = file:write_file(Name ++ ".results", lists:join("\n", Results))
    end).

each(Out, Files, Do) ->
    Numbered = lists:zip(lists:seq(0, length(Files) - 1), Files),
    [Do(filename:join(Out, integer_to_list(N)), File) || {N, File} <- Numbered].

text(File, From, To) ->
    {ok, Bytes} = file:read_file(File),
    unicode:characters_to_binary(Bytes, From, To).

scan(Text) ->
    {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list(Text), {1, 1}),
    Tokens.

line({Parent, How, {Tag, {Line, Column} = Place}, _}, Macros) ->
    Where = case Macros of #{Place := _} -> macro; _ -> text end,
    io_lib:format("~n~w ~s ~s ~s ~w ~w", [Parent, Tag, How, Where, Line, Column]).

%% The places of all tokens in uses of macros.
macros([{'?', _}, {'?', _} | Tokens], Places) -> macros(Tokens, Places);
macros([{'?', _}, Name, {'(', _} | Tokens], Places) -> arguments(Tokens, 1, Places#{place(Name) => macro});
macros([{'?', _}, Name | Tokens], Places) -> macros(Tokens, Places#{place(Name) => macro});
macros([_ | Tokens], Places) -> macros(Tokens, Places);
macros([], Places) -> Places.

arguments(Tokens, 0, Places) -> macros(Tokens, Places);
arguments([{'(', _} = Token | Tokens], Depth, Places) -> arguments(Tokens, Depth + 1, Places#{place(Token) => macro});
arguments([{')', _} = Token | Tokens], Depth, Places) -> arguments(Tokens, Depth - 1, Places#{place(Token) => macro});
arguments([Token | Tokens], Depth, Places) -> arguments(Tokens, Depth, Places#{place(Token) => macro});
arguments([], _, Places) -> Places.

place(Token) -> erl_scan:location(Token).

%% A text with macros is none that can be parsed alone.
result(Node, Utf32, N) ->
    Text = unicode:characters_to_list(Utf32, utf32),
    {ok, Tokens, _} = erl_scan:string(Text ++ " . "),
    case lists:keymember('?', 1, Tokens) of
        true -> "macro";
        false ->
            {ok, Older, _} = erl_scan:string(Text ++ " . ", 1, [{reserved_word_fun, fun is_word_of_old/1}]),
            Expected = plain(Node),
            Found = [plain(E) || {ok, [E]} <- [erl_parse:parse_exprs(Tokens), erl_parse:parse_exprs(Older)]],
            case lists:member(Expected, Found) of
                true -> "same";
                false when Found =:= [] -> ["error ", integer_to_list(N)];
                false -> ["other ", integer_to_list(N)]
            end
    end.

%% What is no name even in a file that has `maybe` as one.
is_word_of_old(Word) -> not lists:member(Word, ['maybe', 'else']) andalso erl_scan:reserved_word(Word).

plain(Node) -> nowhere(erl_parse:map_anno(fun(_) -> erl_anno:new(0) end, Node)).

%% OTP 29 leaves the places of the names of fields as they are.
nowhere({record_field, A, Record, Name, {atom, _, Field}}) -> {record_field, A, nowhere(Record), Name, {atom, A, Field}};
nowhere(Tuple) when is_tuple(Tuple) -> list_to_tuple(nowhere(tuple_to_list(Tuple)));
nowhere([Head | Tail]) -> [nowhere(Head) | nowhere(Tail)];
nowhere(Other) -> Other.

%% {Number of the parent or -1, How, {Tag, Place}, Node} in the order of a walk, of code that stands in the file itself.
read(File) ->
    Folder = filename:dirname(File),
    Includes = [Folder, filename:join(Folder, "../include") | filelib:wildcard(filename:join(Folder, "../../*/include"))],
    {ok, [{attribute, _, file, {Name, _}} | Forms]} = epp:parse_file(File, [{location, {1, 1}}, {includes, Includes}]),
    [] = [Form || {error, _} = Form <- Forms],
    Encoding = case epp:read_encoding(File) of none -> utf8; Other -> Other end,
    {_, Found} = lists:foldl(fun(Node, Acc) -> walk(Node, -1, node, Acc) end, {0, []}, own(Forms, Name, true)),
    {Encoding, lists:reverse(Found)}.

own([{attribute, _, file, {Name, _}} | Forms], Main, _) -> own(Forms, Main, Name =:= Main);
own([{function, _, _, _, _} = Form | Forms], Main, true) ->
    [placed(Form) | own(Forms, Main, true)];
own([{attribute, _, Kind, _} = Form | Forms], Main, true) when Kind =:= record; Kind =:= native_record ->
    {attribute, _, _, {_, Fields}} = placed(Form),
    [case Field of {typed_record_field, F, _} -> F; _ -> Field end || Field <- Fields] ++ own(Forms, Main, true);
own([_ | Forms], Main, Own) -> own(Forms, Main, Own);
own([], _, _) -> [].

%% Some annotations have more than the place.
placed(Form) -> erl_parse:map_anno(fun erl_anno:location/1, Form).

walk(Node, Parent, How, {Number, Found}) ->
    Acc = {Number + 1, [{Parent, How, {element(1, Node), element(2, Node)}, Node} | Found]},
    lists:foldl(fun({H, Child}, A) -> walk(Child, Number, H, A) end, Acc, children(How, Node)).

children(_, {Tag, _, _}) when Tag =:= atom; Tag =:= integer; Tag =:= float; Tag =:= char; Tag =:= string; Tag =:= var ->
    [];
children(rest, _) ->
    [];
children(_, {cons, _, Head, Tail}) ->
    [{node, Head} | elements(Tail)];
children(_, {'try', _, Body, Clauses, Handlers, After}) ->
    inner([Body, Clauses]) ++ [{handler, Handler} || Handler <- Handlers] ++ inner(After);
children(handler, {clause, _, [{tuple, _, [Class, Pattern, Stack]}], Guard, Body}) ->
    inner([[Class || is_written_class(Class, Pattern)], Pattern, [Stack || is_written_stack(Stack, Pattern)], Guard, Body]);
children(_, {'fun', _, {function, Module, Name, Arity}}) ->
    inner([Module, Name, Arity]);
children(_, {'fun', _, {clauses, Clauses}}) ->
    inner(Clauses);
children(_, Node) ->
    inner(tl(tl(tuple_to_list(Node)))).

%% Generators side by side are those of the comprehension: what they are together has no place of its own.
inner(Parts) ->
    [{node, Part} || Part <- lists:flatten([apart(P) || P <- lists:flatten([Parts])]),
                     is_tuple(Part), tuple_size(Part) > 1, is_place(element(2, Part))].

apart({zip, _, Generators}) -> Generators;
apart(Part) -> Part.

is_place({Line, Column}) -> is_integer(Line) andalso is_integer(Column);
is_place(_) -> false.

%% What is left of a list after its first element is a list of the abstract code, placed where its own first element is;
%% its elements are taken for those of the whole.
elements({cons, Place, Head, Tail} = Rest) ->
    case first(Head) of
        Place -> [{rest, Rest}, {node, Head} | elements(Tail)];
        _ -> [{node, Rest}]
    end;
elements(Tail) ->
    [{node, Tail}].

%% The compiler makes up the class `throw` and the stack trace `_` where they are not written.
is_written_class({atom, Place, throw}, Pattern) -> Place =/= first(Pattern);
is_written_class(_, _) -> true.

is_written_stack({var, Place, '_'}, Pattern) -> Place > lists:max(places(Pattern));
is_written_stack(_, _) -> true.

first(Node) -> lists:min(places(Node)).

places(Node) -> erl_parse:fold_anno(fun(Place, Places) -> [Place | Places] end, [], Node).
