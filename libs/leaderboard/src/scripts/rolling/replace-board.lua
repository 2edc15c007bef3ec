-- Puts a draft in the place of a board; where there is no draft, the board is empty from now on. Where members were moved or
-- erased since the draft was begun, it is dropped instead: it may still hold them.
--
-- KEYS[1] draft   sorted set
-- KEYS[2] board   sorted set
-- KEYS[3] windows   sorted set: the names of such boards by the moment at which they are gone
-- KEYS[4] changes   hash: moves, erasures -> how often members of this shard were moved or erased
-- KEYS[5] replaced   what was there before, until it is freed; never there else, so that on a Cluster whose slot is on its
--     way this call is refused before it has begun, not halfway
-- ARGV[1] ttlMs   how long the board is kept
-- ARGV[2] moves   how often members had been moved when the draft was begun; any: moves do not matter
-- ARGV[3] erasures   how often members had been erased when the draft was begun
-- Returns 1; 0 where the draft was dropped.
-- Cost: O(1); the memory of the board before is freed in the background.
-- @include list-window
local draft, board, windows = KEYS[1], KEYS[2], KEYS[3]
redis.call('ZREM', windows, string.match(draft, '}:(.*)$'))
local counts = redis.call('HMGET', KEYS[4], 'moves', 'erasures')
if (counts[2] or '0') ~= ARGV[3] or (ARGV[2] ~= 'any' and (counts[1] or '0') ~= ARGV[2]) then
  redis.call('UNLINK', draft)
  return 0
end
if redis.call('EXISTS', board) == 1 then
  redis.call('RENAME', board, KEYS[5])
  redis.call('UNLINK', KEYS[5])
end
if redis.call('EXISTS', draft) == 1 then
  redis.call('RENAME', draft, board)
  redis.call('PEXPIRE', board, ARGV[1])
end
listWindow(windows, board, ARGV[1])
return 1
