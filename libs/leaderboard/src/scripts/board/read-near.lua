-- Reads what stands nearest to each of some bounds on each shard of a board.
-- KEYS[1..] shards   sorted sets: shards of one board
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] before   the most entries to read ahead of a bound
-- ARGV[4] behind   the most entries to read behind it, from 1
-- ARGV[5] first   the most of the first entries to read as well, 0: none
-- ARGV[6..] bounds   two values each: score, and place as include/ahead.lua reads it
-- Returns for each shard: how many entries there are, the first lines { element, score, ... }, and for each bound, flat,
--     how many entries stand ahead of its first line, how many ahead of the bound, and its lines.
-- Cost: O(log N + first) for each shard, and O(log N + before + behind) for each bound there.
local call = redis.call
-- @include lines
-- @include ahead
local before, behind, first = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local replies = {}
for k = 1, #KEYS do
  local size = ARGV[2] == '-inf' and call('ZCARD', KEYS[k]) or call('ZCOUNT', KEYS[k], ARGV[2], '+inf')
  local near, n = {}, 0
  for i = 6, #ARGV, 2 do
    local ahead = aheadOf(KEYS[k], ARGV[i], ARGV[i + 1])
    local start = math.max(0, ahead - before)
    near[n + 1], near[n + 2], near[n + 3] = start, ahead, linesFrom(KEYS[k], start, ahead + behind - start)
    n = n + 3
  end
  replies[k] = { size, first > 0 and linesFrom(KEYS[k], 0, first) or {}, near }
end
return replies
