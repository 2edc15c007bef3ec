-- Forgets what a member owed owners, once it is in their ledgers; what is owed otherwise by now stays.
--
-- KEYS[1] owed     hash: what the member owes
-- KEYS[2] owing    sorted set: members who owe something
-- ARGV[1] member
-- ARGV[2..] notes  a field of the hash and its text, one after the other
-- Cost: O(1) a note.
local call = redis.call
for i = 2, #ARGV, 2 do
  if call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then call('HDEL', KEYS[1], ARGV[i]) end
end
if call('EXISTS', KEYS[1]) == 0 then call('ZREM', KEYS[2], ARGV[1]) end
