-- Gives fields of a hash other names, with what they hold.
--
-- KEYS[1]   hash
-- ARGV[1..] fields   a field and its new name, alternately; no new name is there yet
-- Returns how many of them were there.
-- Cost: one HGET, one HSET and one HDEL a field.
local renamed = 0
for i = 1, #ARGV, 2 do
  local value = redis.call('HGET', KEYS[1], ARGV[i])
  if value then
    redis.call('HSET', KEYS[1], ARGV[i + 1], value)
    redis.call('HDEL', KEYS[1], ARGV[i])
    renamed = renamed + 1
  end
end
return renamed
