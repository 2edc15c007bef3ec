-- Reads which keys of a shard name a member.
--
-- KEYS[1..] lists   sorted sets: names of keys, see include/naming.lua
-- ARGV[1] count     of each list so many at most
-- Returns the names, flat; a name may come twice.
-- Cost: O(log N + count) a list.
local names = {}
for i = 1, #KEYS do
  for _, name in ipairs(redis.call('ZRANGE', KEYS[i], 0, tonumber(ARGV[1]) - 1)) do
    names[#names + 1] = name
  end
end
return names
