-- When a key expires, in ms; -1: never, -2: there is none. Before Redis 7 it is exact to the millisecond, give or take
-- one.
local function expiryOf(key)
  local at = redis.pcall('PEXPIRETIME', key)
  if type(at) == 'number' then return at end
  local ttl = redis.call('PTTL', key)
  if ttl < 0 then return ttl end
  local now = redis.call('TIME')
  return now[1] * 1000 + math.floor(now[2] / 1000) + ttl
end
