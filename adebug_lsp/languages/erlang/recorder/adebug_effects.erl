%% What code does beyond giving a value, and what it asks of the world around it: which calls these are, and code in
%% which somebody else answers them.
-module(adebug_effects).
-export([is_effect/2, answered/2, expression/3]).

-define(OF_ERLANG,
    [get, put, erase, get_keys, self, spawn, spawn_link, spawn_monitor, spawn_opt, spawn_request, register, whereis,
     unregister, registered, processes, send, send_nosuspend, send_after, start_timer, cancel_timer, read_timer, link,
     unlink, monitor, demonitor, process_flag, group_leader, make_ref, now, monotonic_time, system_time,
     timestamp, time_offset, date, time, localtime, universaltime, unique_integer, process_info, is_process_alive,
     node, nodes, get_cookie, apply, halt, open_port, ports, port_info, port_command, port_control, port_close,
     port_connect, garbage_collect, hibernate, load_module, load_nif, nif_error, statistics, memory, system_info,
     system_flag, trace]).
-define(MODULES,
    [ets, dets, mnesia, file, filelib, io, rand, random, os, timer, gen_server, gen_statem, gen_event, gen_fsm,
     supervisor, proc_lib, sys, erl_eval, code, application, logger, error_logger, global, pg, rpc, erpc, net_kernel,
     net_adm, gen_tcp, gen_udp, gen_sctp, inet, ssl, httpc, persistent_term, atomics, counters, calendar, crypto, init,
     disk_log, user_default, eunit, prim_file, peer, slave]).
-define(PURE, [{timer, hms}, {timer, hours}, {timer, minutes}, {timer, seconds}, {calendar, day_of_the_week},
     {calendar, date_to_gregorian_days}, {calendar, datetime_to_gregorian_seconds}, {calendar, gregorian_days_to_date},
     {calendar, gregorian_seconds_to_datetime}, {calendar, is_leap_year}, {calendar, last_day_of_the_month},
     {calendar, valid_date}, {ets, fun2ms}, {os, type}]).

%% Whether a function of Erlang itself, or of a library, gives other results with the same arguments, or does more than
%% give results. `none` is the module of a function that is called by its name alone.
is_effect(Module, {exit, 2}) -> Module =:= none orelse Module =:= erlang;
is_effect(Module, {Name, _}) when Module =:= none; Module =:= erlang -> lists:member(Name, ?OF_ERLANG);
is_effect(Module, {Name, _}) -> lists:member(Module, ?MODULES) andalso not lists:member({Module, Name}, ?PURE).

%% Code in which `Who:effect(Module, Name, Arguments)` stands for every such call, and `Who:waits(Frame, Site)` for
%% what rewritten code tells before it waits. In a guard nobody else can answer: then he does for the whole function.
%% What a module does when it is loaded is left out, since nobody was asked then.
answered(Forms, Who) ->
    About = {Who, functions(Forms)},
    [case Form of
         {function, A, Name, Arity, Clauses} -> {function, A, Name, Arity, routine(A, Arity, Clauses, About)};
         _ -> Form
     end || Form <- Forms, not is_on_load(Form)].

is_on_load({attribute, _, on_load, _}) -> true;
is_on_load(_) -> false.

%% One expression of such code.
expression(Expression, Forms, Who) -> inside(Expression, {Who, functions(Forms)}).

functions(Forms) -> [{Name, Arity} || {function, _, Name, Arity, _} <- Forms].

routine(A, Arity, Clauses, About) ->
    try inside(Clauses, About)
    catch throw:effect_in_guard ->
        Given = given(A, Arity),
        [{clause, A, Given, [], [asked(A, erlang, effect_in_guard, Given, About)]}]
    end.

inside({clause, A, Patterns, Guards, Body}, About) ->
    asks_nothing(Guards, About),
    {clause, A, Patterns, Guards, inside(Body, About)};
inside({op, A, '!', To, Message}, About) ->
    asked(A, erlang, send, inside([To, Message], About), About);
inside({call, A, {remote, _, {atom, _, adebug_recorder}, {atom, B, waits}}, Given}, {Who, _}) ->
    {call, A, {remote, A, {atom, A, Who}, {atom, B, waits}}, Given};
inside({call, A, {remote, B, {atom, _, Module} = M, {atom, _, Name} = N}, Given}, About) ->
    Inner = inside(Given, About),
    case is_effect(Module, {Name, length(Given)}) of
        true -> asked(A, Module, Name, Inner, About);
        false -> {call, A, {remote, B, M, N}, Inner}
    end;
inside({call, A, {remote, _, Module, Name}, Given}, About) ->
    dynamic(A, inside(Module, About), inside(Name, About), inside(Given, About), About);
inside({call, A, {atom, _, Name} = Called, Given}, {_, Own} = About) ->
    Inner = inside(Given, About),
    case not lists:member({Name, length(Given)}, Own) andalso is_effect(none, {Name, length(Given)}) of
        true -> asked(A, erlang, Name, Inner, About);
        false -> {call, A, Called, Inner}
    end;
inside({'fun', A, {function, Name, Arity}} = E, {_, Own} = About) ->
    case not lists:member({Name, Arity}, Own) andalso is_effect(none, {Name, Arity}) of
        true -> wrapped(A, erlang, Name, Arity, About);
        false -> E
    end;
inside({'fun', A, {function, {atom, _, Module}, {atom, _, Name}, {integer, _, Arity}}} = E, About) ->
    case is_effect(Module, {Name, Arity}) of
        true -> wrapped(A, Module, Name, Arity, About);
        false -> E
    end;
inside(Tuple, About) when is_tuple(Tuple) -> list_to_tuple(inside(tuple_to_list(Tuple), About));
inside([Head | Tail], About) -> [inside(Head, About) | inside(Tail, About)];
inside(Other, _) -> Other.

asked(A, Module, Name, Given, {Who, _}) ->
    {call, A, {remote, A, {atom, A, Who}, {atom, A, effect}}, [{atom, A, Module}, {atom, A, Name}, list(A, Given)]}.

dynamic(A, Module, Name, Given, {Who, _}) ->
    {call, A, {remote, A, {atom, A, Who}, {atom, A, dynamic}}, [Module, Name, list(A, Given)]}.

wrapped(A, Module, Name, Arity, About) ->
    Given = given(A, Arity),
    {'fun', A, {clauses, [{clause, A, Given, [], [asked(A, Module, Name, Given, About)]}]}}.

given(A, Arity) -> [{var, A, list_to_atom("@given" ++ integer_to_list(N))} || N <- lists:seq(1, Arity)].

list(A, Es) -> lists:foldr(fun(E, Rest) -> {cons, A, E, Rest} end, {nil, A}, Es).

asks_nothing({call, _, {atom, _, Name}, Given}, {_, Own} = About) ->
    not lists:member({Name, length(Given)}, Own) andalso is_effect(none, {Name, length(Given)}) andalso throw(effect_in_guard),
    asks_nothing(Given, About);
asks_nothing({call, _, {remote, _, {atom, _, erlang}, {atom, _, Name}}, Given}, About) ->
    is_effect(erlang, {Name, length(Given)}) andalso throw(effect_in_guard),
    asks_nothing(Given, About);
asks_nothing(Tuple, About) when is_tuple(Tuple) -> asks_nothing(tuple_to_list(Tuple), About);
asks_nothing([Head | Tail], About) -> asks_nothing(Head, About), asks_nothing(Tail, About);
asks_nothing(_, _) -> ok.
