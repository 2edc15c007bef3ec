-- Reads a member's entry with its neighbours, of a board that has one shard: `radius` on each side, and where the board
-- ends so many fewer there and more on the other side.
-- KEYS[1] shard   sorted set
-- KEYS[2]? vectors   hash of a lexical board: member -> vector, which stands before the member in the shard; else left
--     out
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] member
-- ARGV[4] radius
-- ARGV[5]? index   a line that is read as well, from 0
-- Returns how many entries there are, the line at the index { element, score }, how many entries stand ahead of the
--     first line, and the lines { element, score, ... }; without the member no more than the first two.
-- Cost: O(log N + radius).
local call = redis.call
-- @include lines
local size = ARGV[2] == '-inf' and call('ZCARD', KEYS[1]) or call('ZCOUNT', KEYS[1], ARGV[2], '+inf')
local marked = ARGV[5] and linesFrom(KEYS[1], tonumber(ARGV[5]), 1) or {}
local element = ARGV[3]
if KEYS[2] then
  local vector = call('HGET', KEYS[2], element)
  if not vector then return { size, marked } end
  element = vector .. element
end
local own = call(descending and 'ZREVRANK' or 'ZRANK', KEYS[1], element)
-- Entries below the floor are the last ones.
if not own or own >= size then return { size, marked } end
local width = 2 * tonumber(ARGV[4]) + 1
local start = math.max(0, math.min(own - tonumber(ARGV[4]), size - width))
return { size, marked, start, linesFrom(KEYS[1], start, math.min(width, size)) }
