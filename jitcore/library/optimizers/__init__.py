"""What optimizers do to Parameters."""
