"""From Python source to untyped ANF: fetch, check, desugar, resolve scopes, build."""

if __name__ != "jitcore.frontend":
    raise ImportError("import jitcore.frontend, not frontend")
