-- Stores what a ledger's data is made with, unless another has stored something since it was read.
--
-- KEYS[1] layout   hash
-- ARGV[1..] fields   three values each: the field's name, what was read of it (empty: nothing), and what it becomes
-- Returns 1; 0 where a field is no longer what was read: then nothing is stored.
-- Cost: O(1) a field.
local call, layout = redis.call, KEYS[1]
for i = 1, #ARGV, 3 do
  if (call('HGET', layout, ARGV[i]) or '') ~= ARGV[i + 1] then return 0 end
end
for i = 1, #ARGV, 3 do
  call('HSET', layout, ARGV[i], ARGV[i + 2])
end
return 1
