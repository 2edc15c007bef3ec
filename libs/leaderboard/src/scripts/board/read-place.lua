-- Reads a member's score, and counts who stands ahead of it on all shards of a board.
-- KEYS[1..] shards   sorted sets: the shards of one board, on one Redis
-- ARGV[1] order   desc | asc
-- ARGV[2] shard   the number of the shard that the member is on
-- ARGV[3] member
-- Returns the score and the count; nil without the member.
-- Cost: O(log N) for each shard, O(log N * log E) where E entries share the score.
local call = redis.call
-- @include lines
-- @include ahead
local own, member = tonumber(ARGV[2]), ARGV[3]
local score = call('ZSCORE', KEYS[own], member)
if not score then return false end
local ahead = call(descending and 'ZREVRANK' or 'ZRANK', KEYS[own], member)
for k = 1, #KEYS do
  if k ~= own then ahead = ahead + aheadOf(KEYS[k], score, '<' .. member) end
end
return { score, ahead }
