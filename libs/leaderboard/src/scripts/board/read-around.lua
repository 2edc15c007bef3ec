-- Reads members' entries with their neighbours, of a board that has one shard: `radius` on each side, and where the
-- board ends so many fewer there and more on the other side.
-- KEYS[1] shard   sorted set
-- KEYS[2]? vectors   hash of a lexical board: member -> vector, which stands before the member in the shard; else left
--     out
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] radius
-- ARGV[4] index   a line that is read as well, from 0; -1: none
-- ARGV[5..] members
-- Returns as JSON, which clients read faster: how many entries there are, the line at the index { element, score },
--     and of each member how many stand ahead of the first line, and the lines { element, score, ... }; false: none.
-- Cost: O(log N + radius) a member.
local call = redis.call
-- @include lines
local size = sizeOf(KEYS[1], ARGV[2])
local radius, index = tonumber(ARGV[3]), tonumber(ARGV[4])
local replies = { size, index >= 0 and index < size and linesFrom(KEYS[1], index, 1) }
for i = 5, #ARGV do
  local vector = not KEYS[2] and '' or call('HGET', KEYS[2], ARGV[i])
  local own = vector and call(descending and 'ZREVRANK' or 'ZRANK', KEYS[1], vector .. ARGV[i])
  local start, lines = false, false
  -- Entries below the floor are the last ones.
  if own and own < size then
    local width = math.min(2 * radius + 1, size)
    start = math.max(0, math.min(own - radius, size - width))
    lines = linesFrom(KEYS[1], start, width)
  end
  replies[2 * i - 7], replies[2 * i - 6] = start, lines
end
return cjson.encode(replies)
