import sys
sys.exit('left while importing')
