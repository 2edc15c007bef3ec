-- Writes entries of one part of a board whose scores are plain numbers and whose members all stay: what needs no look at
-- the present scores first. write-entries.lua does the rest.
-- KEYS[1] part   sorted set
-- KEYS[2] expiry   string: the moment in ms at which the board expires, where one is set
-- ARGV[1] update   set | increment | highest | lowest
-- ARGV[2..] lines   two values each: score, member
-- Returns each line's score after it; for `set` nothing: they are the scores given.
-- Cost: O(log N) a line.
local call, part, update = redis.call, KEYS[1], ARGV[1]
local isNew, scores = call('EXISTS', part) == 0, {}
if update == 'increment' then
  for i = 2, #ARGV, 2 do
    scores[#scores + 1] = call('ZINCRBY', part, ARGV[i], ARGV[i + 1])
  end
elseif update == 'set' then
  call('ZADD', part, unpack(ARGV, 2))
else
  call('ZADD', part, update == 'highest' and 'GT' or 'LT', unpack(ARGV, 2))
  for i = 3, #ARGV, 2 do
    scores[#scores + 1] = call('ZSCORE', part, ARGV[i])
  end
end
if isNew then
  local expiry = call('GET', KEYS[2])
  if expiry then call('PEXPIREAT', part, expiry) end
end
return scores
