-- Marks ledgers as wanted, so that none leaves Redis for an hour, and says which of them are not there. What is of an
-- erased member is left alone.
--
-- KEYS[1] erased      sorted set: the digests of erased members
-- KEYS[2..] recalled  of each ledger its member's sorted set: number of the day -> when it was wanted, in ms
-- KEYS[n..] ledgers   in the same order
-- ARGV[1] nowMs
-- ARGV[2..] days      of each ledger its day's number
-- ARGV[n..] whose     of each ledger its member
-- Returns the places of those that are not there, from 1.
-- Cost: an EXISTS, a ZADD and a PEXPIRE a ledger.
-- @include erased-members
local call = redis.call
local count = (#ARGV - 1) / 2
local missing = {}
local erased = erasedAmong(KEYS[1], { unpack(ARGV, count + 2) }, tonumber(ARGV[1])) or {}
for i = 1, count do
  if not erased[i] then
    call('ZADD', KEYS[i + 1], ARGV[1], ARGV[i + 1])
    call('PEXPIRE', KEYS[i + 1], 7776000000)
    if call('EXISTS', KEYS[count + i + 1]) == 0 then missing[#missing + 1] = i end
  end
end
return missing
