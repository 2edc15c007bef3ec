-- Puts a ledger back that the cold store gave, unless it is there, or its member was erased meanwhile.
--
-- KEYS[1] recalled   as touch-ledgers.lua has it
-- KEYS[2] days       sorted set: the member's days, where days are listed
-- KEYS[3] erased     sorted set: the digests of erased members
-- KEYS[4..] hashes   the ledger, and its pages
-- ARGV[1] nowMs      when the caller wanted it: until then nobody else did
-- ARGV[2] day        its number
-- ARGV[3] member
-- ARGV[4] isListed   1: days are listed
-- ARGV[5] expireAtMs 0: never
-- ARGV[6] content    JSON: of each hash its fields and what they hold, flat
-- Returns 1; 0: another wanted it since, so it may have been here, changed and gone again.
-- Cost: an HSET for each 2,000 fields.
-- @include erased-members
local call = redis.call
if call('EXISTS', KEYS[4]) == 1 then return 1 end
if tonumber(call('ZSCORE', KEYS[1], ARGV[2]) or 0) ~= tonumber(ARGV[1]) then return 0 end
local erased = erasedAmong(KEYS[3], { ARGV[3] }, tonumber(ARGV[1]))
if erased then return 1 end
for h, flat in ipairs(cjson.decode(ARGV[6])) do
  for first = 1, #flat, 4000 do
    call('HSET', KEYS[3 + h], unpack(flat, first, math.min(first + 3999, #flat)))
  end
  if ARGV[5] ~= '0' then call('PEXPIREAT', KEYS[3 + h], ARGV[5]) end
end
if ARGV[4] == '1' then call('ZADD', KEYS[2], ARGV[2], ARGV[2]) end
return 1
