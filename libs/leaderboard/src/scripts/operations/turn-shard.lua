-- Turns a shard to the next step of a resharding.
--
-- KEYS[1] state
-- ARGV[1] run    number of the run of the command: a later one takes over, an earlier one has nothing to say any more
-- ARGV[2] step   copying, sealed, filling or open
-- Returns 1; 0 where a later run is at it.
-- Cost: O(1).
local run = string.match(redis.call('GET', KEYS[1]) or '0', '^%d+')
if tonumber(run) > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. ':' .. ARGV[2])
return 1
