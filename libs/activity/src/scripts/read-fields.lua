-- Reads one field of each of several hashes.
--
-- KEYS[1..] hashes
-- ARGV[1..] fields   of each hash one, in their order
-- Returns each field's value, false where there is none.
-- Cost: O(1) a hash.
local found = {}
for i = 1, #KEYS do
  found[i] = redis.call('HGET', KEYS[i], ARGV[i])
end
return found
