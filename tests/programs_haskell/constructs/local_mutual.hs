parity n = ev n
  where ev 0 = "even"
        ev k = od (k - 1)
        od 0 = "odd"
        od k = ev (k - 1)
main = print (map parity [0 .. 5])
