-- Puts a window that was put together with everyone in it in its place, and those who are excluded into the set beside it.
--
-- KEYS[1] draft      sorted set; where there is none, the window is empty from now on
-- KEYS[2] board      sorted set
-- KEYS[3] aside      the set beside it
-- KEYS[4] excluded   sorted set: members whose entries belong beside the boards (1) or are on their way back (0)
-- KEYS[5] windows    sorted set: the names of windows by the moment at which they are gone
-- KEYS[6] replaced   what was there before, until it is freed; never there else, so that on a Cluster whose slot is on its
--     way this call is refused before it has begun, not halfway
-- ARGV[1] ttlMs      how long the window is kept
-- ARGV[2] name       what it is listed as
-- Returns 1.
-- Cost: O(log N) for each who is excluded; the memory of the window before is freed in the background.
local call = redis.call
for i = 2, 3 do
  if call('EXISTS', KEYS[i]) == 1 then
    call('RENAME', KEYS[i], KEYS[6])
    call('UNLINK', KEYS[6])
  end
end
if call('EXISTS', KEYS[1]) == 1 then
  call('RENAME', KEYS[1], KEYS[2])
  call('PEXPIRE', KEYS[2], ARGV[1])
  for _, member in ipairs(call('ZRANGE', KEYS[4], 1, 1, 'BYSCORE')) do
    local score = call('ZSCORE', KEYS[2], member)
    if score then
      call('ZREM', KEYS[2], member)
      call('ZADD', KEYS[3], score, member)
    end
  end
  call('PEXPIRE', KEYS[3], ARGV[1])
end
-- By the server's own clock, as the keys expire by it.
local nowMs = math.floor(call('TIME')[1] * 1000)
call('ZREMRANGEBYSCORE', KEYS[5], '-inf', nowMs)
call('ZADD', KEYS[5], nowMs + 1000 + tonumber(ARGV[1]), ARGV[2])
return 1
