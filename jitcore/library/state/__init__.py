"""What programs pass on, check and report."""
