-- Reads the entries that stand from an offset on in the merged order of all shards of a board on one Redis, or of what
-- lies of them between two bounds, without what stands before them. page-search.ts does the same where shards lie
-- apart.
-- KEYS[1..] shards   sorted sets: all shards of one board
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] offset   how many entries to pass over
-- ARGV[4] count   the most entries to read, from 1
-- ARGV[5] share   the most entries to read of each shard
-- ARGV[6]? fromScore   of the bound that the entries stand behind; left out: from the first on
-- ARGV[7]? fromPlace   of that bound, as include/ahead.lua reads it
-- ARGV[8]? untilScore   of the bound that they stand ahead of; left out: to the end
-- ARGV[9]? untilPlace   of that bound
-- Returns how many entries stand ahead of the first one wanted, how many of the merged lines to pass over, and of each
--     shard its lines { element, score, ... }; nothing where there is no entry at the offset.
-- Cost: some five rounds of O(log N) for each shard, and O(count) for each shard.
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
local share = min(tonumber(ARGV[5]), drop + count)
local replies = { before + offset, drop }
for k = 1, #KEYS do
  local own = min(share, ends[k] - lows[k])
  replies[k + 2] = own > 0 and linesFrom(KEYS[k], lows[k], own) or {}
end
return replies
