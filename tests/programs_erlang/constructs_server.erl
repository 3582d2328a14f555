%% The server that constructs.erl uses: all kinds of callbacks and answers, and a function that runs on loading.
-module(constructs_server).
-behaviour(gen_server).
-export([start/1, loaded/0]).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2, handle_info/2, terminate/2, code_change/3]).
-on_load(load/0).

load() ->
    persistent_term:put(?MODULE, loaded).

loaded() ->
    persistent_term:get(?MODULE).

start(Value) ->
    gen_server:start(?MODULE, Value, []).

init(refused) ->
    {stop, not_today};
init(Value) ->
    {ok, #{value => Value, seen => []}, {continue, prepare}}.

handle_continue(prepare, State) ->
    {noreply, State#{seen := [prepared]}}.

handle_call(read, _From, #{value := Value} = State) ->
    {reply, Value, State};
handle_call({add, N}, _From, State) ->
    New = added(N, State),
    {reply, {ok, maps:get(value, New)}, New};
handle_call({later, N}, From, State) ->
    self() ! {answer, From, N},
    {noreply, State};
handle_call(silent, _From, State) ->
    {noreply, State};
handle_call(crash, _From, #{value := Value} = State) ->
    {reply, Value + not_a_number(State), State}.

handle_cast({add, N}, State) ->
    {noreply, added(N, State)}.

handle_info({answer, From, N}, State) ->
    gen_server:reply(From, {later, N}),
    {noreply, State};
handle_info({info, What}, #{seen := Seen} = State) ->
    {noreply, State#{seen := [What | Seen]}}.

terminate(_Reason, _State) ->
    ok.

code_change(_Old, State, _Extra) ->
    {ok, State}.

added(N, #{value := Value} = State) ->
    State#{value := Value + N}.

not_a_number(#{seen := Seen}) ->
    error({no_number, Seen}).
