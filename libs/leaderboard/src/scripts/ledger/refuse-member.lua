-- Refuses an erased member from now on, until a moment; or lets them in again.
--
-- KEYS[1] erased   sorted set: the digests of erased members, by the moment until which they are refused; below all
--                  moments the salt of the digests
-- ARGV[1] member
-- ARGV[2] salt   of the digests, if the list has none yet
-- ARGV[3] untilMs   the moment; inf: for good; none: readmits the member
-- ARGV[4] nowMs   digests up to here are forgotten
-- Returns 1 if the member was refused before, else 0.
-- Cost: O(log N).
local call, list, nowMs = redis.call, KEYS[1], ARGV[4]
call('ZREMRANGEBYSCORE', list, '(-inf', nowMs)
local salt = call('ZRANGE', list, '-inf', '-inf', 'BYSCORE')[1] or ARGV[2]
local digest = redis.sha1hex(salt .. ARGV[1])
local was = call('ZSCORE', list, digest) and 1 or 0
if ARGV[3] == 'none' then call('ZREM', list, digest) else call('ZADD', list, 'GT', ARGV[3], digest) end
local last = call('ZRANGE', list, 0, 0, 'REV', 'WITHSCORES')
if #last == 0 or last[2] == '-inf' then
  call('DEL', list)
  return was
end
call('ZADD', list, '-inf', salt)
if last[2] == 'inf' then call('PERSIST', list) else call('PEXPIREAT', list, last[2]) end
return was
