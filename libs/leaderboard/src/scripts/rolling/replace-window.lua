-- Replaces a window by a draft that was built with all members, and moves excluded members into the set beside it. If
-- members were erased since the drafts were begun, drops the draft instead: it may still hold them.
--
-- KEYS[1] draft      sorted set; without it, the window becomes empty
-- KEYS[2] board      sorted set
-- KEYS[3] aside      the set beside it
-- KEYS[4] excluded   sorted set: members whose entries belong beside the boards (1) or are on their way back (0)
-- KEYS[5] windows    sorted set: the names of windows by the moment at which they are gone
-- KEYS[6] changes    hash: erasures -> how often members of this shard were erased
-- KEYS[7] replaced   the old window, until it is freed. It never exists before the call, so on a Cluster a call to a
--                    moving slot is refused before it has begun, not halfway
-- ARGV[1] ttlMs      how long the window is kept
-- ARGV[2] erasures   how often members had been erased when the drafts were begun
-- Returns 1; 0 if the draft was dropped.
-- Cost: O(log N) for each excluded member; the old window's memory is freed in the background.
-- @include list-window
local call = redis.call
local draft, board, aside, windows = KEYS[1], KEYS[2], KEYS[3], KEYS[5]
call('ZREM', windows, string.match(draft, '}:(.*)$'))
if (call('HGET', KEYS[6], 'erasures') or '0') ~= ARGV[2] then
  call('UNLINK', draft)
  return 0
end
for _, before in ipairs({ board, aside }) do
  if call('EXISTS', before) == 1 then
    call('RENAME', before, KEYS[7])
    call('UNLINK', KEYS[7])
  end
end
if call('EXISTS', draft) == 1 then
  call('RENAME', draft, board)
  call('PEXPIRE', board, ARGV[1])
  for _, member in ipairs(call('ZRANGE', KEYS[4], 1, 1, 'BYSCORE')) do
    local score = call('ZSCORE', board, member)
    if score then
      call('ZREM', board, member)
      call('ZADD', aside, score, member)
    end
  end
  call('PEXPIRE', aside, ARGV[1])
end
-- By the server's own clock, as the keys expire by it.
call('ZREMRANGEBYSCORE', windows, '-inf', call('TIME')[1] * 1000)
listWindow(windows, board, ARGV[1])
return 1
