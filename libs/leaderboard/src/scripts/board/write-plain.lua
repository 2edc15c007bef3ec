-- Writes an entry of one shard of a board whose scores are plain numbers and whose members all stay: what needs no look
-- at the present score first. write-plain-lines.lua writes many, write-entries.lua does the rest.
-- KEYS[1] shard   sorted set
-- KEYS[2] expiry   string: the moment in ms at which the board expires, where one is set
-- ARGV[1] update   set | increment | highest | lowest
-- ARGV[2] score
-- ARGV[3] member
-- Returns the score after it.
-- Cost: O(log N).
local call, shard, update, score = redis.call, KEYS[1], ARGV[1], ARGV[2]
local mayBeFirst
if update == 'increment' then
  local by = score
  score = call('ZINCRBY', shard, by, ARGV[3])
  -- Whose score is what was added was not there before, or had none.
  mayBeFirst = tonumber(score) == tonumber(by)
elseif update == 'set' then
  mayBeFirst = call('ZADD', shard, score, ARGV[3]) == 1
else
  mayBeFirst = call('ZADD', shard, update == 'highest' and 'GT' or 'LT', score, ARGV[3]) == 1
  if not mayBeFirst then score = call('ZSCORE', shard, ARGV[3]) end
end
-- Its only entry: the shard may have been born just now.
if mayBeFirst and call('ZCARD', shard) == 1 then
  local expiry = call('GET', KEYS[2])
  if expiry then call('PEXPIREAT', shard, expiry) end
end
return score
