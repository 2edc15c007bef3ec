-- People are found by any part of their names. Where the database's owner may not add the extension, or the server has none, they
-- are found all the same, by reading every name.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX users_name_parts ON users USING gin (lower(name) gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not there: people are found by reading every name';
END
$$;
