"""Questions of tool sources, put to the person."""
