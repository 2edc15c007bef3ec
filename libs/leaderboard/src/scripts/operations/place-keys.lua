-- Puts copies of keys into the shard that they move to, in place of what is there.
--
-- KEYS[1] state
-- KEYS[2..] keys
-- ARGV[1] expected  the state that the shard must have
-- ARGV[2..] copies  two a key: what it holds, as DUMP has it, empty: nothing; when it expires, in ms, 0: never
-- Returns 1; 0, with nothing done, where the shard is in another state.
-- Cost: that of RESTORE.
local call = redis.call
if call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
for i = 2, #KEYS do
  local copy, expireAt = ARGV[2 * i - 2], ARGV[2 * i - 1]
  if copy == '' then
    call('UNLINK', KEYS[i])
  else
    call('RESTORE', KEYS[i], expireAt, copy, 'REPLACE', 'ABSTTL')
  end
end
return 1
