-- Reads the entries that stand from an offset on in the merged order of all parts of a board on one Redis, or of what lies of
-- them between two bounds, without what stands before them. reads/select.ts does the same where parts lie apart.
-- KEYS[1..] parts   sorted sets: all parts of one board
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] offset   how many entries to pass over
-- ARGV[4] count   the most entries to read, from 1
-- ARGV[5] full   0: of each part its share with a margin; 1: so many that nothing can be missing
-- ARGV[6]? fromScore   of the bound that the entries stand behind; left out: from the first on
-- ARGV[7]? fromPlace   of that bound, as include/ahead.lua reads it
-- ARGV[8]? untilScore   of the bound that they stand ahead of; left out: to the end
-- ARGV[9]? untilPlace   of that bound
-- Returns how many entries stand ahead of the first one wanted, how many of the merged lines to pass over, how many were
--     asked for of each part, and of each part its lines { element, score, ... }; nothing where there is no entry at the offset.
-- Cost: some five rounds of O(log N) for each part, and O(count) for each part.
local call, min = redis.call, math.min
-- @include lines
-- @include ahead
-- @include seek
local least, offset = ARGV[2], tonumber(ARGV[3])
local lows, highs, ends, before, open = {}, {}, {}, 0, 0
for k = 1, #KEYS do
  local size = least == '-inf' and call('ZCARD', KEYS[k]) or call('ZCOUNT', KEYS[k], least, '+inf')
  ends[k] = ARGV[8] and min(aheadOf(KEYS[k], ARGV[8], ARGV[9]), size) or size
  lows[k] = ARGV[6] and min(aheadOf(KEYS[k], ARGV[6], ARGV[7]), ends[k]) or 0
  highs[k] = ends[k]
  before, open = before + lows[k], open + ends[k] - lows[k]
end
local count = min(tonumber(ARGV[4]), open - offset)
if count <= 0 then return {} end

local drop = seek(lows, highs, offset, 32)
local wanted = drop + count
local mean = wanted / #KEYS
local share = ARGV[5] == '1' and wanted or min(wanted, math.ceil(mean + 3 * math.sqrt(mean)) + 2)
local replies = { before + offset, drop, share }
for k = 1, #KEYS do
  local own = min(share, ends[k] - lows[k])
  replies[k + 3] = own > 0 and linesFrom(KEYS[k], lows[k], own) or {}
end
return replies
