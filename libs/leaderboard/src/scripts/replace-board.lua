-- Puts a draft in the place of a board; where there is no draft, the board is empty from now on.
-- KEYS[1] draft   sorted set
-- KEYS[2] board   sorted set
-- KEYS[3] windows   sorted set: the names of such boards by the moment at which they are gone
-- KEYS[4] replaced   what was there before, until it is freed; never there else, so that on a Cluster whose slot is on its
--     way this call is refused before it has begun, not halfway
-- ARGV[1] ttlMs   how long the board is kept
-- ARGV[2] name   what it is listed as
-- Returns 1.
-- Cost: O(1); the memory of the board before is freed in the background.
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('RENAME', KEYS[2], KEYS[4])
  redis.call('UNLINK', KEYS[4])
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('RENAME', KEYS[1], KEYS[2])
  redis.call('PEXPIRE', KEYS[2], ARGV[1])
end
-- By the server's own clock, as the keys expire by it.
redis.call('ZADD', KEYS[3], math.floor(redis.call('TIME')[1] * 1000) + 1000 + tonumber(ARGV[1]), ARGV[2])
return 1
