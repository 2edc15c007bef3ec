-- Reads a member's score, and how many stand ahead of it, on a board of one shard.
-- KEYS[1] shard   sorted set
-- ARGV[1] order   desc | asc
-- ARGV[2] member
-- Returns the score and the count; nil without the member.
-- Cost: O(log N).
local ahead = redis.call(ARGV[1] == 'desc' and 'ZREVRANK' or 'ZRANK', KEYS[1], ARGV[2])
if not ahead then return false end
return { redis.call('ZSCORE', KEYS[1], ARGV[2]), ahead }
