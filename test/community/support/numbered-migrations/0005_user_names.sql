-- For finding users by how their names begin.
CREATE INDEX users_name_beginning ON users (lower(name) text_pattern_ops);
