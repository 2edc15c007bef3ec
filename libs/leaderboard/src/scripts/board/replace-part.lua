-- Replaces one shard of a board by a draft.
-- KEYS[1] expiry   string: the moment in ms at which the board expires, where one is set
-- KEYS[2] replaced   the old keys, until they are freed. None exists before the call, so on a Cluster a call to a
--                    moving slot is refused before it has begun, not halfway
-- KEYS[3..] pairs   two each, the draft and the key that it replaces: the shard's sorted set, then the keys beside it
-- ARGV[1] any   1 if the draft has entries; 0: the shard becomes empty
-- Returns 1; 0, with nothing changed, if the draft is gone.
-- Cost: O(1); the old keys are freed in the background.
local call = redis.call
if ARGV[1] == '1' and call('EXISTS', KEYS[3]) == 0 then return 0 end
local expiry = call('GET', KEYS[1])
for i = 3, #KEYS, 2 do
  local from, to = KEYS[i], KEYS[i + 1]
  if call('EXISTS', to) == 1 then
    call('RENAME', to, KEYS[2])
    call('UNLINK', KEYS[2])
  end
  if call('EXISTS', from) == 1 then
    call('RENAME', from, to)
    if expiry then call('PEXPIREAT', to, expiry) else call('PERSIST', to) end
  end
end
return 1
