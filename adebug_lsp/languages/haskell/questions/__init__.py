"""What is asked: equations of the evaluation dependency tree, and the expressions inside one reduction."""
