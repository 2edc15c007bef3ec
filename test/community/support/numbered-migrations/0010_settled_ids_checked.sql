-- Reads the whole table once: some minutes where it has 100 million rows. Nobody waits for it but this start.
ALTER TABLE settled_entries VALIDATE CONSTRAINT settled_entries_early;
