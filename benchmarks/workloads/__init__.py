"""The workloads, a file each; every module has a list WORKLOADS."""
