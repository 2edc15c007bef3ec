-- Keeps a lease for as long again, or gives it back, if it is still the holder's.
--
-- KEYS[1] lease    holds the token of who has it
-- ARGV[1] token    the caller's
-- ARGV[2] ttlMs    how long it is kept from now on; 0 gives it back
-- Returns 1, or 0 where the lease is not the caller's.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
