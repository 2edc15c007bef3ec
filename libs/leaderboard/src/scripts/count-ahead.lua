-- Counts the entries of each part of a board that stand ahead of each bound.
-- KEYS[1..] parts   sorted sets: parts of one board; several only where one Redis holds them all
-- ARGV[1] order   desc | asc
-- ARGV[2..] bounds   two values each: score, and place as include/ahead.lua reads it; or an index and `@part`, the number
--     of a part: the entry that stands there
-- Returns the counts, flat: those of the first part for each bound, then of the second...; none where no entry stands there
-- Cost: O(log N) for each part and bound; O(log N * log E) where E entries share the bound's score and its place names one.
local call = redis.call
-- @include lines
-- @include ahead
local bounds = {}
for i = 2, #ARGV, 2 do
  local score, place = ARGV[i], ARGV[i + 1]
  if string.sub(place, 1, 1) == '@' then
    local line = linesFrom(KEYS[tonumber(string.sub(place, 2))], tonumber(score), 1)
    if not line[1] then return {} end
    score, place = line[2], '<' .. line[1]
  end
  bounds[#bounds + 1] = { score, place }
end
local counts = {}
for k = 1, #KEYS do
  for i = 1, #bounds do
    counts[#counts + 1] = aheadOf(KEYS[k], bounds[i][1], bounds[i][2])
  end
end
return counts
