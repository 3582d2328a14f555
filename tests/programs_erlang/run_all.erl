%% Compiles and runs programs for check.py, all in one VM.
%%
%% The jobs are terms in a file: {Name, Sources, Call, Milliseconds}. What is found goes to another file, one line each:
%% "result NAME OUTCOME", and "clause NAME FILE MODULE:FUNCTION/ARITY NUMBER LINE" for every clause of every function,
%% with tabs between the words.
-module(run_all).
-export([main/1]).

main([Jobs, Found]) ->
    {ok, Terms} = file:consult(Jobs),
    {ok, Out} = file:open(Found, [write, {encoding, utf8}]),
    [do(Job, Out) || Job <- Terms],
    ok = file:close(Out),
    halt(0).

do({Name, Sources, Call, Milliseconds}, Out) ->
    [write_clauses(Name, Source, Out) || Source <- Sources],
    Modules = [load(Source) || Source <- Sources],
    Before = processes(),
    io:format(Out, "result\t~ts\t~ts~n", [Name, outcome(Call, Milliseconds)]),
    %% Whatever a program leaves behind must not meet the next one.
    [exit(Pid, kill) || Pid <- processes() -- Before],
    [unload(Module) || Module <- Modules].

write_clauses(Name, Source, Out) ->
    {ok, Forms} = epp:parse_file(Source, []),
    [Module] = [Module || {attribute, _, module, Module} <- Forms],
    [
        io:format(Out, "clause\t~ts\t~ts\t~w:~w/~w\t~w\t~w~n", [
            Name, filename:basename(Source), Module, Function, Arity, Number, erl_anno:line(element(2, Clause))
        ])
     || {function, _, Function, Arity, Clauses} <- Forms,
        {Number, Clause} <- lists:zip(lists:seq(1, length(Clauses)), Clauses)
    ].

load(Source) ->
    {ok, Module, Code} = compile:file(Source, [binary]),
    {module, Module} = code:load_binary(Module, Source, Code),
    Module.

unload(Module) ->
    code:purge(Module),
    code:delete(Module),
    code:purge(Module).

%% The value of the call, Class:Reason of its exception, or timeout.
outcome(Call, Milliseconds) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({outcome, evaluate(Call)}) end),
    receive
        {'DOWN', Monitor, process, Pid, {outcome, Text}} -> Text;
        {'DOWN', Monitor, process, Pid, Reason} -> io_lib:format("killed:~w", [Reason])
    after Milliseconds ->
        exit(Pid, kill),
        receive
            {'DOWN', Monitor, process, Pid, _} -> "timeout"
        end
    end.

evaluate(Call) ->
    {ok, Tokens, _} = erl_scan:string(Call ++ "."),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    try erl_eval:exprs(Expressions, erl_eval:new_bindings()) of
        {value, Value, _} -> io_lib:format("~w", [Value])
    catch
        Class:Reason -> io_lib:format("~w:~w", [Class, Reason])
    end.
