-- Reads how many entries each shard of a board has, and the first of them.
-- KEYS[1..] shards   sorted sets: shards of one board; several only where one Redis serves them all
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] count   the most entries to read; 0: none
-- Returns for each shard: how many entries there are, and the lines { element, score, ... }.
-- Cost: O(log N + count) for each shard.
local call = redis.call
local replies = {}
for k = 1, #KEYS do
  local size = ARGV[2] == '-inf' and call('ZCARD', KEYS[k]) or call('ZCOUNT', KEYS[k], ARGV[2], '+inf')
  local lines
  if ARGV[3] == '0' then
    lines = {}
  elseif ARGV[1] == 'desc' then
    lines = call('ZRANGE', KEYS[k], 0, ARGV[3] - 1, 'REV', 'WITHSCORES')
  else
    lines = call('ZRANGE', KEYS[k], 0, ARGV[3] - 1, 'WITHSCORES')
  end
  replies[k] = { size, lines }
end
return replies
