-- Replaces a board by a draft; without a draft, the board becomes empty. If members were erased since the draft was
-- begun, drops the draft instead: it may still hold them.
--
-- KEYS[1] draft   sorted set
-- KEYS[2] board   sorted set
-- KEYS[3] windows   sorted set: the names of such boards by the moment at which they are gone
-- KEYS[4] changes   hash: erasures -> how often members of this shard were erased
-- KEYS[5] replaced   the old board, until it is freed. It never exists before the call, so on a Cluster a call to a
--                    moving slot is refused before it has begun, not halfway
-- ARGV[1] ttlMs   how long the board is kept
-- ARGV[2] erasures   how often members had been erased when the draft was begun
-- Returns 1; 0 if the draft was dropped.
-- Cost: O(1); the old board's memory is freed in the background.
-- @include list-window
local draft, board, windows = KEYS[1], KEYS[2], KEYS[3]
redis.call('ZREM', windows, string.match(draft, '}:(.*)$'))
if (redis.call('HGET', KEYS[4], 'erasures') or '0') ~= ARGV[2] then
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
