-- Removes entries of one shard of a board that stand between two bounds, some of them in each call.
-- KEYS[1] shard   sorted set
-- KEYS[2]? vectors   hash of a lexical board: member -> vector; else left out
-- ARGV[1] order   desc | asc
-- ARGV[2] prefix   the length of a vector; 0 where the layout has none
-- ARGV[3] most   how many one call removes at most
-- ARGV[4] fromScore   of the bound that they stand behind
-- ARGV[5] fromPlace   of that bound, as include/ahead.lua reads it
-- ARGV[6]? untilScore   of the bound that they stand ahead of; left out: remove to the end
-- ARGV[7]? untilPlace   of that bound
-- Returns how many were removed: where that is `most`, there may be more.
-- Cost: as count-ahead, and O(log N) for each entry removed.
local call = redis.call
-- @include lines
-- @include ahead
-- @include remove-ranks
local size = call('ZCARD', KEYS[1])
local from = aheadOf(KEYS[1], ARGV[4], ARGV[5])
local to = ARGV[6] and aheadOf(KEYS[1], ARGV[6], ARGV[7]) or size
if to <= from then return 0 end
from = math.max(from, to - tonumber(ARGV[3]))
local first, last = from, to - 1
if descending then first, last = size - to, size - from - 1 end
return removeRanks(KEYS[1], first, last, KEYS[2], tonumber(ARGV[2]))
