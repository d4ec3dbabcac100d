-- A late fee may be followed by a second one: then the number of a fee counts both.
comment on column late_fees.period is 'The number of the fee among those of its invoice: how many times 30 days it was late beyond the days of grace; where there is a second fee, 0 is the first and 1 the second, and what repeats counts on.';
