import circle_a
value = 2
print('b sees', hasattr(circle_a, 'value'))
