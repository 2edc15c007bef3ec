-- Reads what stands nearest to each of some bounds on shards of a board, all of them together.
-- KEYS[1..] shards   sorted sets: shards of one board
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] before   the most entries to read ahead of a bound
-- ARGV[4] behind   the most entries to read behind it, from 1
-- ARGV[5] first   the most of the first entries to read as well, 0: none
-- ARGV[6..] bounds   two values each: score, and place as include/ahead.lua reads it
-- Returns how many entries there are, the first lines { element, score, ... }, and for each bound how many entries
--     stand ahead of its first line, how many ahead of the bound, and its lines.
-- Cost: O(log N + first) for each shard, and O(log N + before + behind) for each bound there.
local call = redis.call
-- @include lines
-- @include ahead
-- @include nearest
local before, behind, first = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local size, head = 0, {}
for k = 1, #KEYS do
  size = size + sizeOf(KEYS[k], ARGV[2])
  if first > 0 then
    local lines = linesFrom(KEYS[k], 0, first)
    takeNearest(head, first, lines, 1, #lines - 1, false)
  end
end
local near = {}
for i = 6, #ARGV, 2 do
  local score, place, ahead, above, below = ARGV[i], ARGV[i + 1], 0, {}, {}
  local worth, kind, element = tonumber(score), string.sub(place, 1, 1), string.sub(place, 2)
  local from, to = '-inf', '(' .. score
  if descending then from, to = to, '+inf' end
  for k = 1, #KEYS do
    local key = KEYS[k]
    -- Where none has the bound's score, or the first of them is the bound's own, a count says what stands ahead.
    local own = call('ZCOUNT', key, from, to)
    local start = own > before and own - before or 0
    local lines = linesFrom(key, start, own + behind - start)
    local middle = 2 * (own - start)
    local next = lines[middle + 1]
    if next and tonumber(lines[middle + 2]) == worth and not (kind == '(' or kind == '<' and next == element) then
      own = aheadOf(key, score, place)
      start = own > before and own - before or 0
      lines = linesFrom(key, start, own + behind - start)
      middle = 2 * (own - start)
    end
    if middle > 0 then takeNearest(above, before, lines, middle - 1, 1, true) end
    if lines[middle + 1] then takeNearest(below, behind, lines, middle + 1, #lines - 1, false) end
    ahead = ahead + own
  end
  near[#near + 1] = { ahead - #above, ahead, flat(above, below) }
end
return { size, flat({}, head), near }
