-- Counts the entries of each shard of a board that stand ahead of each bound.
-- KEYS[1..] shards   sorted sets: shards of one board; several only where one Redis serves them all
-- ARGV[1] order   desc | asc
-- ARGV[2..] bounds   two values each: score, and place as include/ahead.lua reads it
-- Returns for each shard the counts of the bounds.
-- Cost: O(log N) for each shard and bound; O(log N * log E) where E entries share the bound's score and its place names
--     one.
local call = redis.call
-- @include lines
-- @include ahead
local replies = {}
for k = 1, #KEYS do
  local counts = {}
  for i = 2, #ARGV, 2 do
    counts[i / 2] = aheadOf(KEYS[k], ARGV[i], ARGV[i + 1])
  end
  replies[k] = counts
end
return replies
