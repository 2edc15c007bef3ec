-- Reads the entries that stand behind a bound, of each shard of a board.
-- KEYS[1..] shards   sorted sets: shards of one board; several only where one Redis serves them all
-- ARGV[1] order   desc | asc
-- ARGV[2] score   of the bound
-- ARGV[3] place   of the bound, as include/ahead.lua reads it
-- ARGV[4] skip   entries to pass over behind the bound
-- ARGV[5] count   the most entries to read, from 1
-- ARGV[6]? untilScore   of a second bound that the entries stand ahead of; left out: read to the end
-- ARGV[7]? untilPlace   of that bound
-- ARGV[8]? baseScore   of a third bound, which is counted too
-- ARGV[9]? basePlace   of that bound
-- Returns for each shard: how many entries stand ahead of the first one read, the lines { element, score, ... }, and
--     how many entries stand ahead of the third bound, 0 without one.
-- Cost: as count-ahead, and O(count) for each shard.
local call = redis.call
-- @include lines
-- @include ahead
local replies = {}
for k = 1, #KEYS do
  local start = aheadOf(KEYS[k], ARGV[2], ARGV[3]) + tonumber(ARGV[4])
  local count = tonumber(ARGV[5])
  if ARGV[6] then count = math.min(count, aheadOf(KEYS[k], ARGV[6], ARGV[7]) - start) end
  local base = ARGV[8] and aheadOf(KEYS[k], ARGV[8], ARGV[9]) or 0
  replies[k] = { start, count > 0 and linesFrom(KEYS[k], start, count) or {}, base }
end
return replies
