-- Reads lines that stand at even distances in one shard of a board.
-- KEYS[1] shard   sorted set
-- ARGV[1] order   desc | asc
-- ARGV[2] first   where the first of them stands, counted from 0: its whole shard
-- ARGV[3] step   how far they lie apart, from 1
-- ARGV[4] count   how many lines to read
-- Returns the lines { element, score, ... }, fewer where the shard ends.
-- Cost: O(count * log N).
local call = redis.call
-- @include lines
local first, step = tonumber(ARGV[2]), tonumber(ARGV[3])
local lines = {}
for i = 0, tonumber(ARGV[4]) - 1 do
  local line = linesFrom(KEYS[1], math.floor(first + i * step), 1)
  if not line[1] then break end
  lines[2 * i + 1], lines[2 * i + 2] = line[1], line[2]
end
return lines
