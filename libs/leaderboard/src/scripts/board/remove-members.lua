-- Removes members of one shard of a lexical board, with their vectors.
-- KEYS[1] shard   sorted set
-- KEYS[2] vectors   hash: member -> vector
-- ARGV[1..] members
-- Returns how many were removed.
-- Cost: O(log N) a member.
local call, most = redis.call, 5000

-- Lua hands over some thousand arguments at once. A key that becomes empty is not met again: on a Cluster a script that
-- meets a missing key of a slot on its way is broken off halfway.
local function removeAll(remove, key, names, left)
  local removed = 0
  for first = 1, #names, most do
    if removed == left then break end
    removed = removed + call(remove, key, unpack(names, first, math.min(first + most - 1, #names)))
  end
  return removed
end

-- All are read before the first is removed.
local elements, present, left = {}, {}, call('ZCARD', KEYS[1])
for first = 1, #ARGV, most do
  local last = math.min(first + most - 1, #ARGV)
  local found = call('HMGET', KEYS[2], unpack(ARGV, first, last))
  for i = 1, last - first + 1 do
    if found[i] then
      elements[#elements + 1] = found[i] .. ARGV[first + i - 1]
      present[#present + 1] = ARGV[first + i - 1]
    end
  end
end
removeAll('HDEL', KEYS[2], present, left)
return removeAll('ZREM', KEYS[1], elements, left)
