"""What 3.15 brought: warnings of the compiler can be told apart by the module that they are about."""

import sys
import warnings

warnings.filterwarnings("ignore", "'return' in", SyntaxWarning, module=r"parts\.finals\Z")
warnings.filterwarnings("ignore", "'break' in", SyntaxWarning, module=r"finals\Z")
warnings.filterwarnings("error", "'continue' in", SyntaxWarning, module=r"parts\.other\Z")
import parts.finals

print("own:", 1 is 1, file=sys.stderr)
