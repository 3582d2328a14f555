"""Where values came from: constructs of the language and functions of the library, one by one."""
