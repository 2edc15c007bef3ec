-- Writes entries of one shard of a board as write-plain.lua does one.
-- KEYS[1] shard   sorted set
-- KEYS[2] expiry   string: the moment in ms at which the board expires, where one is set
-- ARGV[1] update   set | increment | highest | lowest
-- ARGV[2..] lines   each JSON, all strings: score, member, score, member...; as arguments of their own they would cost
--   Redis a tenth more, and so would all in one
-- Returns nothing.
-- Cost: O(log N) a line.
local call, shard, update = redis.call, KEYS[1], ARGV[1]
local isNew = call('EXISTS', shard) == 0
for chunk = 2, #ARGV do
  local lines = cjson.decode(ARGV[chunk])
  if update == 'increment' then
    for i = 1, #lines, 2 do
      call('ZINCRBY', shard, lines[i], lines[i + 1])
    end
  elseif update == 'set' then
    call('ZADD', shard, unpack(lines))
  else
    call('ZADD', shard, update == 'highest' and 'GT' or 'LT', unpack(lines))
  end
end
if isNew then
  local expiry = call('GET', KEYS[2])
  if expiry then call('PEXPIREAT', shard, expiry) end
end
