-- Runs commands on keys of a shard that is in a step of a resharding.
--
-- KEYS[1] state
-- KEYS[2..] keys
-- ARGV[1] expected  the state that the shard must have
-- ARGV[2] commands  MessagePack: of each its name, its key by its place among these, and what follows
-- Returns what each command returns; the status LOST, with nothing done, where the shard is in another state.
-- Cost: that of the commands.
local call = redis.call
if call('GET', KEYS[1]) ~= ARGV[1] then return redis.status_reply('LOST') end
local replies = {}
for i, command in ipairs(cmsgpack.unpack(ARGV[2])) do
  replies[i] = call(command[1], KEYS[1 + command[2]], unpack(command, 3))
end
return replies
