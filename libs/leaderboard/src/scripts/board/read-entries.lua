-- Reads how many entries each shard of a board has, and the first of them, or some at even distances.
-- KEYS[1..] shards   sorted sets: shards of one board; several only where one Redis serves them all
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] count   the most entries to read of each shard; 0: none
-- ARGV[4..] places   none: the first entries are read; else two values for each shard: where its first one to read
--     stands, from 0, and the distance to the next; with fractions, each is the entry that it falls on
-- Returns for each shard: how many entries there are, and the lines { element, score, ... }.
-- Cost: O(log N + count) for each shard; at distances O(log N) an entry.
local call = redis.call
-- @include lines
local replies = {}
for k = 1, #KEYS do
  local size, lines = sizeOf(KEYS[k], ARGV[2]), {}
  local index, distance = tonumber(ARGV[2 * k + 2]), tonumber(ARGV[2 * k + 3])
  if not index and ARGV[3] ~= '0' then lines = linesFrom(KEYS[k], 0, ARGV[3]) end
  while index and index < size and #lines < 2 * ARGV[3] do
    local line = linesFrom(KEYS[k], math.floor(index), 1)
    lines[#lines + 1], lines[#lines + 2] = line[1], line[2]
    index = index + distance
  end
  replies[k] = { size, lines }
end
return replies
