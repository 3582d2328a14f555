%% Connections opened by a three-way handshake; the first client tries a closed port.
-module(tcp_one).
-export([main/0, server_fun/3, client_fun/4, ack/5]).

main() ->
    ServerPid = spawn(?MODULE, server_fun, [self(), 50, 500]),
    {_, Monitor} = spawn_monitor(?MODULE, client_fun, [ServerPid, 57, 100, client1]),
    receive
        {'DOWN', Monitor, process, _, normal} -> ok
    end,
    spawn(?MODULE, client_fun, [ServerPid, 50, 200, client2]),
    receive
        {data, Data} -> Data
    end.

server_fun(MainPid, Port, Seq) ->
    receive
        {ClientPid, {syn, Port, ClientSeq}} ->
            AckPid = spawn(?MODULE, ack, [MainPid, Port, ClientSeq + 1, Seq + 1, ClientPid]),
            ClientPid ! {AckPid, {syn_ack, ClientSeq + 1, Seq}},
            server_fun(MainPid, Port, Seq + 1);
        {ClientPid, {syn, _, _}} ->
            ClientPid ! rst
    end.

ack(MainPid, Port, Ack, Seq, ClientPid) ->
    receive
        {ClientPid, {ack, Port, Seq, Ack}} ->
            receive
                {ClientPid, {data, Port, Data}} -> MainPid ! {data, Data};
                _ -> MainPid ! {data, error_data}
            end;
        _ ->
            MainPid ! {data, error_ack}
    end.

client_fun(ServerPid, Port, Seq, Data) ->
    ServerPid ! {self(), {syn, Port, Seq}},
    syn_ack(Port, Data, Seq + 1).

syn_ack(Port, Data, Ack) ->
    receive
        rst ->
            {port_rejected, Port};
        {AckPid, {syn_ack, Ack, Seq}} ->
            AckPid ! {self(), {ack, Port, Seq + 1, Ack}},
            AckPid ! {self(), {data, Port, Data}},
            {Seq + 1, Ack, Port, Data}
    end.
