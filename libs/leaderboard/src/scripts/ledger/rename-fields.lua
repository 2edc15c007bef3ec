-- Gives fields of hashes of one shard other names, with what they hold.
--
-- KEYS[1..] hashes
-- ARGV[1..] fields   a hash's place, a field of it and the field's new name, one after the other; no new name is
--                    there yet
-- Returns how many of them were there.
-- Cost: one HGET, one HSET and one HDEL a field.
local renamed = 0
for i = 1, #ARGV, 3 do
  local hash, field = KEYS[tonumber(ARGV[i])], ARGV[i + 1]
  local value = redis.call('HGET', hash, field)
  if value then
    redis.call('HSET', hash, ARGV[i + 2], value)
    redis.call('HDEL', hash, field)
    renamed = renamed + 1
  end
end
return renamed
