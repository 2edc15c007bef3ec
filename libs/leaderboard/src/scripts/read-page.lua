-- Reads the entries that stand from an offset on in the merged order of all parts of a board on one Redis, without what stands
-- before them, as reads/select.ts does where parts lie apart: a part's own entry near the expected place is counted on all
-- parts, which brackets the place, until it is near.
-- KEYS[1..] parts   sorted sets: all parts of one board
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] offset   how many entries to pass over
-- ARGV[4] count   the most entries to read, from 1
-- ARGV[5] full   0: of each part its share with a margin; 1: so many that nothing can be missing
-- Returns how many of the merged lines to pass over, how many were asked for of each part, and of each part its lines
--     { element, score, ... }; nothing where the board has no entry at the offset.
-- Cost: some five rounds of O(log N) for each part, and O(count) for each part.
local call, floor, min, max = redis.call, math.floor, math.min, math.max
-- @include lines
-- @include ahead
local least, offset = ARGV[2], tonumber(ARGV[3])
local tolerance = 32
local lows, highs, passed, open = {}, {}, 0, 0
for k = 1, #KEYS do
  lows[k] = 0
  highs[k] = least == '-inf' and call('ZCARD', KEYS[k]) or call('ZCOUNT', KEYS[k], least, '+inf')
  open = open + highs[k]
end
local count = min(tonumber(ARGV[4]), open - offset)
if count <= 0 then return {} end

while offset - passed > tolerance do
  local part = 1
  for k = 2, #KEYS do
    if highs[k] - lows[k] > highs[part] - lows[part] then part = k end
  end
  -- A little ahead of the place: an entry that turns out to stand behind it brackets, but is no start.
  local share = min((offset - passed - tolerance / 2) / open, 1)
  local index = min(lows[part] + floor((highs[part] - lows[part]) * share), highs[part] - 1)
  local line = linesFrom(KEYS[part], index, 1)
  local counts, ahead = {}, 0
  for k = 1, #KEYS do
    counts[k] = k == part and index or aheadOf(KEYS[k], line[2], '<' .. line[1])
    ahead = ahead + counts[k]
  end
  if ahead < offset then counts[part] = index + 1 end
  passed, open = 0, 0
  for k = 1, #KEYS do
    if ahead > offset then highs[k] = min(highs[k], counts[k]) else lows[k] = max(lows[k], counts[k]) end
    passed, open = passed + lows[k], open + highs[k] - lows[k]
  end
end

local wanted = offset - passed + count
local mean = wanted / #KEYS
local share = ARGV[5] == '1' and wanted or min(wanted, math.ceil(mean + 3 * math.sqrt(mean)) + 2)
local replies = { offset - passed, share }
for k = 1, #KEYS do
  replies[k + 2] = linesFrom(KEYS[k], lows[k], share)
end
return replies
