-- Counts the fields of hashes.
--
-- KEYS[1..] hashes
-- Returns how many fields each has.
-- Cost: O(1) a hash.
local counts = {}
for i = 1, #KEYS do
  counts[i] = redis.call('HLEN', KEYS[i])
end
return counts
