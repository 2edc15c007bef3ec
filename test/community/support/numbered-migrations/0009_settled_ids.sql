-- The table of settled entries becomes a partition in 0011, without a lock over the time in which its rows are looked at:
-- 0010 looks at them, while they are read and written. Ids from 2^33 on are those of the partitions by month.
ALTER TABLE settled_entries ADD CONSTRAINT settled_entries_early CHECK (settled_id < 8589934592) NOT VALID;
