"""The language server `adebug lsp`: one module for each feature. Protocol types do not leave this package."""
