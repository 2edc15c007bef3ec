-- Moves a member's entries from the boards of a shard to the sets beside them, or back, and stores where they belong.
--
-- KEYS[1] excluded   sorted set: members whose entries belong beside the boards (1) or are on their way back (0)
-- KEYS[2] erased     sorted set: the digests of erased members, as refuse-member.lua keeps it
-- KEYS[3] claims     hash: members who are claimed for a moment, as commit-facts.lua keeps it
-- KEYS[4..] boards   the boards' sorted sets, each followed by the set beside it
-- ARGV[1] member
-- ARGV[2] state      1: the member is excluded; 0: the member is shown
-- ARGV[3] step       begin: stores the state first; next: goes on; end: goes on, and forgets a restored member
-- ARGV[4] nowMs
-- ARGV[5] waits      1: the caller waits for a call that has claimed the member; 0: it has waited long enough
-- Returns how many entries were moved; with nothing done -1 if the member's state changed since the begin, -2 if the
--     caller is to wait. An erased member has no entries and gets no state.
-- Cost: two ZSCORE a board, and O(log N) for each entry.
-- @include erased-members
local call = redis.call
local excluded, member, state, step = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if erasedAmong(KEYS[2], { member }, tonumber(ARGV[4])) then return 0 end
if ARGV[5] == '1' and call('HEXISTS', KEYS[3], member) == 1 then return -2 end
if step == 'begin' then
  -- A member that is not excluded has nothing to restore.
  call('ZADD', excluded, state == '1' and 'CH' or 'XX', state, member)
elseif (call('ZSCORE', excluded, member) or '0') ~= state then
  return -1
end
local moved = 0
for i = 4, #KEYS, 2 do
  local from, to = KEYS[i], KEYS[i + 1]
  if state == '0' then from, to = to, from end
  local score = call('ZSCORE', from, member)
  if score then
    local expireAtMs = call('PEXPIRETIME', from)
    call('ZREM', from, member)
    -- As the text that it was given in: all 53 bits.
    call('ZADD', to, score, member)
    if expireAtMs > 0 then call('PEXPIREAT', to, expireAtMs) end
    moved = moved + 1
  end
end
if step == 'end' and state == '0' then call('ZREM', excluded, member) end
return moved
