-- Records plain grants of one shard's members: of today, without limits, of fields that are new or stand. Moves ledgers
-- and boards together. Leaves everything else to judge-transitions.lua, which means the same and judges all
-- transitions.
--
-- KEYS[1..] boards     the boards' sorted sets, in the order of the plan's boards
-- KEYS[n..] others     ledgers and lists, as the plan names them by position
-- KEYS[n..] counting   one key: the generation of the counts that ledgers keep
-- KEYS[n..] erased     one sorted set: the digests of erased members
-- KEYS[n..] excluded   one sorted set: excluded members
-- KEYS[n..] frozen     for each of the boards the key that is there while it is frozen: the last KEYS
-- ARGV[1]   plan       as include/plan.lua has it
-- Returns for each event, one after the other, flat, OUTCOME.granted or OUTCOME.duplicate and the member's score on
--   each of the group's boards, 0: no entry. The events after the last reply are left: all events, if a member of the
--   shard is excluded or was erased lately, if counts are kept, a board is frozen or scores might not be exact; and
--   those behind one whose pages the caller does not know.
-- An error from stored data is raised only after everything recorded before it is on the boards too.
-- Cost: one EXISTS; of each board one ZMSCORE, one ZADD, at most one PTTL; of each event one HSETNX, of a repeated one
--   an HGET and an HSET; of each new ledger a PEXPIREAT; of each key that comes to name another member three commands
--   more; of a field that may lie in a page an HLEN, and two for each page on its way, and two for its totals.
local call, KEYS = redis.call, KEYS
-- @include plan
for first = -2, #boards, 4000 do
  if call('EXISTS', unpack(KEYS, marks + first, marks + math.min(first + 3999, #boards))) > 0 then return {} end
end
-- @include board-scores
if not isRoomy then return {} end
-- @include keep-ledger
-- @include partitions
-- @include short-value
-- @include pages
-- @include new-grants
local fault
for run = 1, #runs, 2 do
  local events, stop = runs[run + 1], nil
  stop, fault = grantEach(groups[runs[run]], events, 1, grantByLedgers)
  if stop <= #events then break end
end
if plan[PLAN.named] ~= 0 then
  -- @include naming
  local named = plan[PLAN.named]
  for at = 1, #named, NAMED.field + 1 do
    local list = named[at + NAMED.list]
    if list > 0 and replies[named[at + NAMED.reply]] then
      local page = pageIn(named[at + NAMED.position], named[at + NAMED.field])
      local key = page and string.match(KEYS[page], '}:(.*)$') or named[at + NAMED.key]
      listKey(KEYS[others + list], key, named[at + NAMED.expireAtMs], plan[PLAN.nowMs])
    end
  end
end
-- @include board-writes
if fault then error(fault, 0) end
return replies
