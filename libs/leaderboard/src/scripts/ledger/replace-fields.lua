-- Replaces fields of hashes of one shard, their names and what they hold, where this is what was read.
--
-- KEYS[1..] hashes
-- ARGV[1..] changes   a hash's place, a field, what it held, its new name and what that holds, one after the other
-- Returns how many were as they were read.
-- Cost: one HGET, one HSET and one HDEL a field.
local call, replaced = redis.call, 0
for i = 1, #ARGV, 5 do
  local hash, field, name = KEYS[tonumber(ARGV[i])], ARGV[i + 1], ARGV[i + 3]
  if call('HGET', hash, field) == ARGV[i + 2] then
    call('HSET', hash, name, ARGV[i + 4])
    if name ~= field then call('HDEL', hash, field) end
    replaced = replaced + 1
  end
end
return replaced
