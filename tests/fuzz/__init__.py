"""Random programs and expressions, compiled and plain."""
