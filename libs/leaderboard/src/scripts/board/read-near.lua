-- Reads what stands nearest to each of some bounds on shards of a board, all of them together.
-- KEYS[1..] shards   sorted sets: shards of one board
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] before   the most entries to read ahead of a bound
-- ARGV[4] behind   the most entries to read behind it, from 1
-- ARGV[5] first   the most of the first entries to read as well, 0: none
-- ARGV[6..] bounds   two values each: score, and place as include/ahead.lua reads it
-- Returns how many entries there are, the first lines { element, score, ... }, and for each bound, flat, how many
--     entries stand ahead of its first line, how many ahead of the bound, and its lines.
-- Cost: O(log N + first) for each shard, and O(log N + before + behind) for each bound there.
local call = redis.call
-- @include lines
-- @include ahead
-- @include nearest
local before, behind, first = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local size, head = 0, {}
for k = 1, #KEYS do
  size = size + (ARGV[2] == '-inf' and call('ZCARD', KEYS[k]) or call('ZCOUNT', KEYS[k], ARGV[2], '+inf'))
  if first > 0 then
    local lines = linesFrom(KEYS[k], 0, first)
    head = nearest(head, lines, 1, #lines, first, false)
  end
end
local near, n = {}, 0
for i = 6, #ARGV, 2 do
  local ahead, above, below = 0, {}, {}
  for k = 1, #KEYS do
    local own = aheadOf(KEYS[k], ARGV[i], ARGV[i + 1])
    local start = math.max(0, own - before)
    local lines = linesFrom(KEYS[k], start, own + behind - start)
    local middle = 2 * (own - start)
    above = nearest(above, lines, 1, middle, before, true)
    below = nearest(below, lines, middle + 1, #lines, behind, false)
    ahead = ahead + own
  end
  near[n + 1], near[n + 2], near[n + 3] = ahead - #above, ahead, flat(above, below)
  n = n + 3
end
return { size, flat({}, head), near }
