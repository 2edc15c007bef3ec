-- Puts back what a rebuild replaced of a member's entry, where nothing has changed the entry since.
--
-- KEYS[1] rebuilt    hash: as include/rebuilt-entries.lua has it
-- KEYS[2] excluded   sorted set: members whose entries belong beside the boards (1) or are on their way back (0)
-- KEYS[3] frozen     the key that is there while the board is frozen: then it is final
-- KEYS[4] erased     sorted set: the digests of erased members, as refuse-member.lua keeps it
-- KEYS[5] shown      the board's sorted set
-- KEYS[6] beside     the set beside it
-- ARGV[1] place      which field of the hash
-- ARGV[2] member
-- ARGV[3] expireAt   ms at which the board expires, 0: never
-- ARGV[4] nowMs
-- Returns 1 put back, 2 left, as it was changed since, 3 left, as the board is frozen, 0 nothing was kept, or
--   it is of an erased member, and dropped.
-- Cost: O(log N).
local call = redis.call
-- @include erased-members
local place, member = ARGV[1], ARGV[2]
local kept = call('HGET', KEYS[1], place)
if not kept then return 0 end
local erased = erasedAmong(KEYS[4], { member }, tonumber(ARGV[4]))
if erased and erased[1] then
  call('DEL', KEYS[1])
  return 0
end
if call('EXISTS', KEYS[3]) == 1 then return 3 end
local shown, beside, after = string.match(kept, '^([^;]*);([^;]*);(.*)$')
local now = (call('ZSCORE', KEYS[5], member) or '') .. ';' .. (call('ZSCORE', KEYS[6], member) or '')
if now ~= after then return 2 end
local set, other = KEYS[5], KEYS[6]
if call('ZSCORE', KEYS[2], member) == '1' then set, other = other, set end
call('ZREM', other, member)
local entry = shown ~= '' and shown or beside
if entry == '' then
  call('ZREM', set, member)
else
  call('ZADD', set, entry, member)
  if tonumber(ARGV[3]) > 0 then call('PEXPIREAT', set, ARGV[3]) end
end
call('HDEL', KEYS[1], place)
if call('HLEN', KEYS[1]) == 1 then call('DEL', KEYS[1]) end
return 1
