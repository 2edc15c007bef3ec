-- Removes members of one part of a lexical board.
-- KEYS[1] part   sorted set
-- KEYS[2] vectors   hash: member -> vector
-- ARGV[1..] members
-- Returns how many were removed.
-- Cost: O(log N) a member.
local call = redis.call
local removed = 0
for i = 1, #ARGV do
  local vector = call('HGET', KEYS[2], ARGV[i])
  if vector then
    removed = removed + call('ZREM', KEYS[1], vector .. ARGV[i])
    call('HDEL', KEYS[2], ARGV[i])
  end
end
return removed
