-- Appends bytes to fields of a hash.
--
-- KEYS[1]   hash
-- ARGV[1..] fields   a field and the bytes to append to it, alternately
-- Returns nothing. Cost: one HGET and one HSET a field.
for i = 1, #ARGV, 2 do
  local before = redis.call('HGET', KEYS[1], ARGV[i])
  redis.call('HSET', KEYS[1], ARGV[i], (before or '') .. ARGV[i + 1])
end
