-- Takes a member out of sorted sets of the member's shard: boards, the sets beside them, windows, drafts and sums.
--
-- KEYS[1] changes    hash: erasures -> how often a member was erased
-- KEYS[2..] sets
-- ARGV[1] member
-- Returns how many sets had the member.
-- Cost: O(log N) a set.
local call = redis.call
local erased = 0
for i = 2, #KEYS do
  erased = erased + call('ZREM', KEYS[i], ARGV[1])
end
if erased > 0 then call('HINCRBY', KEYS[1], 'erasures', 1) end
return erased
