%% Texts enciphered with a repeated key, letter by letter.
-module(vigenere).
-export([main/0, encrypt/2, decrypt/2]).

main() ->
    encrypt("Attack tomorrow dawn", "lemon").

encrypt(Text, Key) ->
    crypt(Text, Key, fun encipher/2).

decrypt(Text, Key) ->
    crypt(Text, Key, fun decipher/2).

crypt(RawText, RawKey, Cipher) ->
    Text = normalize(RawText),
    Key = cycle_to(length(Text), normalize(RawKey)),
    lists:zipwith(Cipher, Text, Key).

normalize(Raw) ->
    toupper(lists:filter(fun isalpha/1, Raw)).

isalpha(Char) ->
    (Char >= $a andalso Char =< $z) orelse (Char >= $A andalso Char =< $Z).

toupper(Text) when is_list(Text) ->
    lists:map(fun toupper/1, Text);
toupper(Char) when Char >= $a, Char =< $z ->
    Char - $a + $A;
toupper(Char) ->
    Char.

%% The list repeated until it has N elements.
cycle_to(N, List) when N =< length(List) ->
    List;
cycle_to(N, List) ->
    List ++ cycle_to(N - length(List), List).

encipher(Plain, Key) ->
    from_pos(to_pos(Plain) + to_pos(Key)).

decipher(Secret, Key) ->
    from_pos(to_pos(Secret) - to_pos(Key)).

to_pos(Letter) ->
    Letter - $A.

from_pos(Pos) ->
    mod(Pos, 26) + $A.

mod(X, Y) ->
    ((X rem Y) + Y) rem Y.
