-- Counts the entries of each shard of a board that stand ahead of each bound.
-- KEYS[1..] shards   sorted sets: shards of one board; several only where one Redis serves them all
-- ARGV[1] order   desc | asc
-- ARGV[2..] bounds   two values each: score, and place as include/ahead.lua reads it
-- Returns the counts, flat: those of the first shard for each bound, then of the second...
-- Cost: O(log N) for each shard and bound; O(log N * log E) where E entries share the bound's score and its place names
--     one.
local call = redis.call
-- @include lines
-- @include ahead
local counts = {}
for k = 1, #KEYS do
  for i = 2, #ARGV, 2 do
    counts[#counts + 1] = aheadOf(KEYS[k], ARGV[i], ARGV[i + 1])
  end
end
return counts
