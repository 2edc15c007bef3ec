-- Lists a key that holds members among the windows of its shard, where an erasure looks for it, until the key expires
-- by the server's clock.
local function listWindow(windows, key, ttlMs)
  local time = redis.call('TIME')
  local expireAtMs = time[1] * 1000 + math.ceil(time[2] / 1000) + 1000 + tonumber(ttlMs)
  redis.call('ZADD', windows, string.format('%d', expireAtMs), string.match(key, '}:(.*)$'))
end
