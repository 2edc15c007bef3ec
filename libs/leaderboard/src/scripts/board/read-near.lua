-- Reads what stands nearest to a bound on each shard of a board.
-- KEYS[1..] shards   sorted sets: shards of one board
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] score   of the bound
-- ARGV[4] place   of the bound, as include/ahead.lua reads it
-- ARGV[5] before   the most entries to read ahead of the bound
-- ARGV[6] behind   the most entries to read behind it, from 1
-- ARGV[7] first   the most of the first entries to read as well, 0: none
-- Returns for each shard: how many entries there are, how many of them stand ahead of the first line, how many ahead of
--     the bound, the lines { element, score, ... } and the first lines.
-- Cost: O(log N + before + behind + first) for each shard.
local call = redis.call
-- @include lines
-- @include ahead
local before, behind, first = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local replies = {}
for k = 1, #KEYS do
  local size = ARGV[2] == '-inf' and call('ZCARD', KEYS[k]) or call('ZCOUNT', KEYS[k], ARGV[2], '+inf')
  local ahead = aheadOf(KEYS[k], ARGV[3], ARGV[4])
  local start = math.max(0, ahead - before)
  local lines = linesFrom(KEYS[k], start, ahead + behind - start)
  replies[k] = { size, start, ahead, lines, first > 0 and linesFrom(KEYS[k], 0, first) or {} }
end
return replies
