-- Keeps a lock for longer, or lets go of it, where it is still the caller's.
-- KEYS[1] lock   string: whose it is
-- ARGV[1] token   the caller's
-- ARGV[2] ttlMs   how long from now on; 0: let go
-- Returns 1 where it was the caller's, else 0.
-- Cost: O(1)
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
