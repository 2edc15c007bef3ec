-- Takes names of keys out of lists of those that name members.
--
-- KEYS[1..] lists   sorted sets: names of keys, see include/naming.lua
-- ARGV[1..] names
-- Returns how many were there.
-- Cost: O(log N) a name and list.
local removed = 0
for i = 1, #KEYS do
  removed = removed + redis.call('ZREM', KEYS[i], unpack(ARGV))
end
return removed
