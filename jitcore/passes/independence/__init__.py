"""Whether the rounds of a loop depend on one another: through what they carry (`reductions`), or through memory that
they write to (`accesses`), at places that are polynomials in the round's number (`indices`)."""
