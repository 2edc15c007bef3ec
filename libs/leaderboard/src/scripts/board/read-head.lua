-- Reads how many entries each shard of a board has, and the first of them.
-- KEYS[1..] shards   sorted sets: shards of one board; several only where one Redis serves them all
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] count   the most entries to read; 0: none
-- Returns for each shard: how many entries there are, and the lines { element, score, ... }.
-- Cost: O(log N + count) for each shard.
local call = redis.call
-- @include lines
local replies = {}
for k = 1, #KEYS do
  replies[k] = { sizeOf(KEYS[k], ARGV[2]), ARGV[3] == '0' and {} or linesFrom(KEYS[k], 0, ARGV[3]) }
end
return replies
