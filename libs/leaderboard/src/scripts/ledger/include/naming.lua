-- Lists a key of the shard under a text by which the key names a member, until the key expires: an erasure of the
-- member finds it there. `expireAtMs` is a text, +inf: never. Of sixteen that are new to a list, one drops those that
-- expired.
local function listKey(list, name, expireAtMs, nowMs)
  if call('ZADD', list, 'GT', 'CH', expireAtMs, name) == 0 then return end
  local length = call('ZCARD', list)
  if length % 16 == 0 then call('ZREMRANGEBYSCORE', list, '-inf', string.format('%.0f', nowMs)) end
  if expireAtMs == '+inf' then
    call('PERSIST', list)
  elseif length == 1 then
    call('PEXPIREAT', list, expireAtMs)
  else
    call('PEXPIREAT', list, expireAtMs, 'GT')
  end
end
