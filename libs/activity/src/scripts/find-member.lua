-- Finds out which of some sorted sets have a member.
--
-- KEYS[1..] sets
-- ARGV[1] member
-- Returns their places, from 1.
-- Cost: a ZSCORE a set.
local found = {}
for i, set in ipairs(KEYS) do
  if redis.call('ZSCORE', set, ARGV[1]) then found[#found + 1] = i end
end
return found
