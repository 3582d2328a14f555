%% Employees as records.
-module(employees).
-export([main/0]).

-record(employee, {name, grade = 1, salary = 1000}).

main() ->
    Staff = [#employee{name = ada}, #employee{name = carl, grade = 3, salary = 1500}],
    Promoted = [promote(Employee) || Employee <- Staff],
    {[summary(Employee) || Employee <- Promoted], total(Promoted)}.

promote(#employee{grade = Grade, salary = Salary} = Employee) ->
    New = raise(Salary, Grade),
    Employee#employee{grade = New, salary = New}.

raise(Salary, Grade) when Grade > 2 ->
    Salary + 200;
raise(Salary, _) ->
    Salary + 100.

summary(#employee{name = Name, grade = Grade}) ->
    {Name, Grade}.

total(Staff) ->
    lists:sum([Employee#employee.salary || Employee <- Staff]).
