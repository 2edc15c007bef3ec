-- What users say of themselves, in a line, beside their names. Null: nothing, as where the version before registered them.
ALTER TABLE users ADD COLUMN text text;
