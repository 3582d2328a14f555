import circle_b
value = 1
print('a sees', hasattr(circle_b, 'value'))
