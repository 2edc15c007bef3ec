-- Takes a resharding to its next step.
--
-- KEYS[1] layout
-- ARGV[1] run
-- ARGV[2] step   cleaning: from now on members lie in the new shards; done: nothing is left in the old ones
-- Returns 1; 0 where a later run is at it.
-- Cost: O(1).
local call = redis.call
if call('HGET', KEYS[1], 'run') ~= ARGV[1] then return 0 end
if ARGV[2] == 'done' then
  call('HDEL', KEYS[1], 'from', 'to', 'step')
else
  call('HSET', KEYS[1], 'step', ARGV[2], 'shards', call('HGET', KEYS[1], 'to'))
end
return 1
