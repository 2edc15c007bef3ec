-- Reads a member's entry with its neighbours, of a board that has one shard: `radius` on each side, and where the board
-- ends so many fewer there and more on the other side.
-- KEYS[1] shard   sorted set
-- KEYS[2]? vectors   hash of a lexical board: member -> vector, which stands before the member in the shard; else left out
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] member
-- ARGV[4] radius
-- Returns how many entries stand ahead of the first line, and the lines { element, score, ... }; nil without the member.
-- Cost: O(log N + radius).
local call = redis.call
-- @include lines
local element = ARGV[3]
if KEYS[2] then
  local vector = call('HGET', KEYS[2], element)
  if not vector then return false end
  element = vector .. element
end
local own = call(descending and 'ZREVRANK' or 'ZRANK', KEYS[1], element)
local size = ARGV[2] == '-inf' and math.huge or call('ZCOUNT', KEYS[1], ARGV[2], '+inf')
-- Entries below the floor are the last ones.
if not own or own >= size then return false end
local width = 2 * tonumber(ARGV[4]) + 1
local start = math.max(0, math.min(own - tonumber(ARGV[4]), size - width))
local lines = linesFrom(KEYS[1], start, math.min(width, size))
local missing = width - #lines / 2
if missing > 0 and start > 0 then
  start = math.max(0, start - missing)
  lines = linesFrom(KEYS[1], start, width)
end
return { start, lines }
