-- Marks ledgers as wanted, so that none leaves Redis for an hour, and says which of them are not there.
--
-- KEYS[1] recalled   sorted set: `day:member`, as the ledger's key has it -> when it was wanted, in ms
-- KEYS[2..] ledgers
-- ARGV[1] nowMs
-- ARGV[2..] names    those of the ledgers in the sorted set
-- Returns the places of those that are not there, from 1.
-- Cost: an EXISTS and a ZADD a ledger.
local missing = {}
for i = 1, #ARGV - 1 do
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[i + 1])
  if redis.call('EXISTS', KEYS[i + 1]) == 0 then missing[#missing + 1] = i end
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', ARGV[1] - 604800000))
return missing
