-- Reads entries at even distances of each shard of a board.
-- KEYS[1..] shards   sorted sets: shards of one board
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] count   the most entries to read of each shard
-- ARGV[4..] places   two values for each shard: where its first entry stands, from 0, and the distance to the next;
--     with fractions, each is the entry that it falls on
-- Returns for each shard: how many entries there are, and the lines { element, score, ... }.
-- Cost: O(log N) an entry.
local call = redis.call
-- @include lines
local replies = {}
for k = 1, #KEYS do
  local size = sizeOf(KEYS[k], ARGV[2])
  local index, distance = tonumber(ARGV[2 * k + 2]), tonumber(ARGV[2 * k + 3])
  local lines = {}
  for _ = 1, ARGV[3] do
    if index >= size then break end
    local line = linesFrom(KEYS[k], math.floor(index), 1)
    lines[#lines + 1], lines[#lines + 2] = line[1], line[2]
    index = index + distance
  end
  replies[k] = { size, lines }
end
return replies
