%% Effects: which calls of OTP have them or depend on the outside world, and a transformation that redirects such calls
%% to a handler module.
-module(adebug_effects).
-export([is_effect/2, redirect/2, redirect_expression/3]).

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

%% Whether a function of OTP may return different results for the same arguments, or has side effects. `none` is the
%% module of a local call.
is_effect(Module, {exit, 2}) -> Module =:= none orelse Module =:= erlang;
is_effect(Module, {Name, _}) when Module =:= none; Module =:= erlang -> lists:member(Name, ?OF_ERLANG);
is_effect(Module, {Name, _}) -> lists:member(Module, ?MODULES) andalso not lists:member({Module, Name}, ?PURE).

%% Replaces each such call by `Handler:effect(Module, Name, Arguments)`, and the event before a `receive` by
%% `Handler:waits(Frame, Site)`. A guard cannot call a handler: then the handler answers for the whole function.
%% `-on_load` is removed, since its effects were not recorded.
redirect(Forms, Handler) ->
    Context = {Handler, functions(Forms)},
    [case Form of
         {function, A, Name, Arity, Clauses} -> {function, A, Name, Arity, routine(A, Arity, Clauses, Context)};
         _ -> Form
     end || Form <- Forms, not is_on_load(Form)].

is_on_load({attribute, _, on_load, _}) -> true;
is_on_load(_) -> false.

%% The same for one expression.
redirect_expression(Expression, Forms, Handler) -> redirect_in(Expression, {Handler, functions(Forms)}).

functions(Forms) -> [{Name, Arity} || {function, _, Name, Arity, _} <- Forms].

routine(A, Arity, Clauses, Context) ->
    try redirect_in(Clauses, Context)
    catch throw:effect_in_guard ->
        Arguments = parameters(A, Arity),
        [{clause, A, Arguments, [], [handled(A, erlang, effect_in_guard, Arguments, Context)]}]
    end.

redirect_in({clause, A, Patterns, Guards, Body}, Context) ->
    reject_effects(Guards, Context),
    {clause, A, Patterns, Guards, redirect_in(Body, Context)};
redirect_in({op, A, '!', To, Message}, Context) ->
    handled(A, erlang, send, redirect_in([To, Message], Context), Context);
redirect_in({call, A, {remote, _, {atom, _, adebug_recorder}, {atom, B, waits}}, Arguments}, {Handler, _}) ->
    {call, A, {remote, A, {atom, A, Handler}, {atom, B, waits}}, Arguments};
redirect_in({call, A, {remote, B, {atom, _, Module} = M, {atom, _, Name} = N}, Arguments}, Context) ->
    Inner = redirect_in(Arguments, Context),
    case is_effect(Module, {Name, length(Arguments)}) of
        true -> handled(A, Module, Name, Inner, Context);
        false -> {call, A, {remote, B, M, N}, Inner}
    end;
redirect_in({call, A, {remote, _, Module, Name}, Arguments}, Context) ->
    dynamic(A, redirect_in(Module, Context), redirect_in(Name, Context), redirect_in(Arguments, Context), Context);
redirect_in({call, A, {atom, _, Name} = Called, Arguments}, {_, Own} = Context) ->
    Inner = redirect_in(Arguments, Context),
    case not lists:member({Name, length(Arguments)}, Own) andalso is_effect(none, {Name, length(Arguments)}) of
        true -> handled(A, erlang, Name, Inner, Context);
        false -> {call, A, Called, Inner}
    end;
redirect_in({'fun', A, {function, Name, Arity}} = E, {_, Own} = Context) ->
    case not lists:member({Name, Arity}, Own) andalso is_effect(none, {Name, Arity}) of
        true -> handled_fun(A, erlang, Name, Arity, Context);
        false -> E
    end;
redirect_in({'fun', A, {function, {atom, _, Module}, {atom, _, Name}, {integer, _, Arity}}} = E, Context) ->
    case is_effect(Module, {Name, Arity}) of
        true -> handled_fun(A, Module, Name, Arity, Context);
        false -> E
    end;
redirect_in(Tuple, Context) when is_tuple(Tuple) -> list_to_tuple(redirect_in(tuple_to_list(Tuple), Context));
redirect_in([Head | Tail], Context) -> [redirect_in(Head, Context) | redirect_in(Tail, Context)];
redirect_in(Other, _) -> Other.

handled(A, Module, Name, Arguments, {Handler, _}) ->
    {call, A, {remote, A, {atom, A, Handler}, {atom, A, effect}}, [{atom, A, Module}, {atom, A, Name}, list(A, Arguments)]}.

dynamic(A, Module, Name, Arguments, {Handler, _}) ->
    {call, A, {remote, A, {atom, A, Handler}, {atom, A, dynamic}}, [Module, Name, list(A, Arguments)]}.

handled_fun(A, Module, Name, Arity, Context) ->
    Arguments = parameters(A, Arity),
    {'fun', A, {clauses, [{clause, A, Arguments, [], [handled(A, Module, Name, Arguments, Context)]}]}}.

parameters(A, Arity) -> [{var, A, list_to_atom("@given" ++ integer_to_list(N))} || N <- lists:seq(1, Arity)].

list(A, Es) -> lists:foldr(fun(E, Rest) -> {cons, A, E, Rest} end, {nil, A}, Es).

reject_effects({call, _, {atom, _, Name}, Arguments}, {_, Own} = Context) ->
    not lists:member({Name, length(Arguments)}, Own) andalso is_effect(none, {Name, length(Arguments)}) andalso throw(effect_in_guard),
    reject_effects(Arguments, Context);
reject_effects({call, _, {remote, _, {atom, _, erlang}, {atom, _, Name}}, Arguments}, Context) ->
    is_effect(erlang, {Name, length(Arguments)}) andalso throw(effect_in_guard),
    reject_effects(Arguments, Context);
reject_effects(Tuple, Context) when is_tuple(Tuple) -> reject_effects(tuple_to_list(Tuple), Context);
reject_effects([Head | Tail], Context) -> reject_effects(Head, Context), reject_effects(Tail, Context);
reject_effects(_, _) -> ok.
