%% A queue made of two lists: the front, and the back in reverse.
-module(two_lists).
-export([main/0]).

main() ->
    Queue = push(c, push(b, push(a, new()))),
    {First, Rest} = pop(Queue),
    {First, drain(push(d, Rest))}.

new() ->
    {[], []}.

push(Element, {Front, Back}) ->
    {Front, [Element | Back]}.

pop({[], []}) ->
    none;
pop({[], Back}) ->
    pop({Back, []});
pop({[Element | Front], Back}) ->
    {Element, {Front, Back}}.

drain(Queue) ->
    case pop(Queue) of
        none -> [];
        {Element, Rest} -> [Element | drain(Rest)]
    end.
