-- Lists a key of the shard under a text by which the key names a member, until the key expires: an erasure of the
-- member finds it there. `expireAtMs` is a text, +inf: never.
local function listKey(list, name, expireAtMs, nowMs)
  if call('ZADD', list, 'GT', 'CH', expireAtMs, name) == 0 then return end
  call('ZREMRANGEBYSCORE', list, '-inf', string.format('%.0f', nowMs))
  if expireAtMs == '+inf' then
    call('PERSIST', list)
  elseif call('PEXPIREAT', list, expireAtMs, 'GT') == 0 and call('ZCARD', list) == 1 then
    call('PEXPIREAT', list, expireAtMs)
  end
end
