x = 1
raise RuntimeError('while importing')
