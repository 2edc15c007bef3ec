-- Runs one command, for what must stand behind the guard in the same call.
-- KEYS[1] key   the command's first argument
-- ARGV[1] name   of the command
-- ARGV[2..] arguments   further ones, at most some 7,000
-- Returns what the command does.
-- Cost: the command's.
return redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))
