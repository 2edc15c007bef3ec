-- Reads the entries that stand behind a bound, of each part of a board.
-- KEYS[1..] parts   sorted sets: parts of one board; several only where one Redis holds them all
-- ARGV[1] order   desc | asc
-- ARGV[2] score   of the bound
-- ARGV[3] place   of the bound, as include/ahead.lua reads it; or score is an index and this `@part`, the number of a part:
--     ahead of the entry that stands there
-- ARGV[4] skip   entries to pass over behind the bound
-- ARGV[5] count   the most entries to read, from 1
-- ARGV[6]? untilScore   of a second bound that the entries stand ahead of; left out: read to the end
-- ARGV[7]? untilPlace   of that bound
-- Returns for each part: how many entries stand ahead of the first one read, and the lines { element, score, ... };
--     nothing where no entry stands at the index
-- Cost: as count-ahead, and O(count) for each part.
local call = redis.call
-- @include lines
-- @include ahead
local score, place = ARGV[2], ARGV[3]
if string.sub(place, 1, 1) == '@' then
  local line = linesFrom(KEYS[tonumber(string.sub(place, 2))], tonumber(score), 1)
  if not line[1] then return {} end
  score, place = line[2], '<' .. line[1]
end
local replies = {}
for k = 1, #KEYS do
  local start = aheadOf(KEYS[k], score, place) + tonumber(ARGV[4])
  local count = tonumber(ARGV[5])
  if ARGV[6] then count = math.min(count, aheadOf(KEYS[k], ARGV[6], ARGV[7]) - start) end
  replies[k] = { start, count > 0 and linesFrom(KEYS[k], start, count) or {} }
end
return replies
