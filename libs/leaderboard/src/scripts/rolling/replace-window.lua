-- Replaces a window, or the sum of its days that are over, by a draft that was built with all members; of a window,
-- moves excluded members into the set beside it. If members were erased since the draft was begun, drops the draft
-- instead: it may still hold them.
--
-- KEYS[1] draft      sorted set; without it, the board becomes empty
-- KEYS[2] board      sorted set
-- KEYS[3] windows    sorted set: the names of such boards by the moment at which they are gone
-- KEYS[4] changes    hash: erasures -> how often members of this shard were erased
-- KEYS[5] replaced   the old board, until it is freed. It never exists before the call, so on a Cluster a call to a
--                    moving slot is refused before it has begun, not halfway
-- KEYS[6]? excluded  of a window, sorted set: members whose entries belong beside the boards (1) or are on their way
--                    back (0)
-- KEYS[7]? aside     of a window: the set beside it
-- ARGV[1] ttlMs      how long the board is kept
-- ARGV[2] erasures   how often members had been erased when the draft was begun
-- Returns 1; 0 if the draft was dropped.
-- Cost: O(log N) for each excluded member; the old board's memory is freed in the background.
-- @include list-window
local call = redis.call
local draft, board, windows, excluded, aside = KEYS[1], KEYS[2], KEYS[3], KEYS[6], KEYS[7]
call('ZREM', windows, string.match(draft, '}:(.*)$'))
if (call('HGET', KEYS[4], 'erasures') or '0') ~= ARGV[2] then
  call('UNLINK', draft)
  return 0
end
for _, before in ipairs({ board, aside }) do
  if call('EXISTS', before) == 1 then
    call('RENAME', before, KEYS[5])
    call('UNLINK', KEYS[5])
  end
end
if call('EXISTS', draft) == 1 then
  call('RENAME', draft, board)
  call('PEXPIRE', board, ARGV[1])
  for _, member in ipairs(aside and call('ZRANGE', excluded, 1, 1, 'BYSCORE') or {}) do
    local score = call('ZSCORE', board, member)
    if score then
      call('ZREM', board, member)
      call('ZADD', aside, score, member)
    end
  end
  if aside then call('PEXPIRE', aside, ARGV[1]) end
end
-- By the server's own clock, as the keys expire by it.
call('ZREMRANGEBYSCORE', windows, '-inf', call('TIME')[1] * 1000)
listWindow(windows, board, ARGV[1])
return 1
