-- Writes what was judged of members of one shard: of each member all of it or, where a fact, a score or a mark that it
-- was judged by has changed since, nothing.
--
-- KEYS[1] erased     sorted set: the digests of erased members
-- KEYS[2] claims     hash: members who are claimed for a moment: until when by the server's clock, and by which call
-- KEYS[3..] others   every key that the plan names, by its position among these
-- ARGV[1] plan       MessagePack of PLAN
-- ARGV[2] stem       what the shard's ledger keys begin with
-- ARGV[3] days       dates of the days that may lie in memory, one after the other
-- ARGV[4] first      the number of the first of them
-- @record PLAN
--   .nowMs
--   .token           of this call, which claims members of whom something has changed; empty: it claims none
--   .marks           flat: a key, and whether it is there (1) or not (0): frozen boards, and whether anybody is
--                    erased
--   .isErasing       1: somebody is erased: members and names are looked up
--   .units           of each member what UNIT lists
-- @record UNIT
--   .member
--   .cells           flat: a hash, a field and its text; false: it is not there
--   .wholes          flat: a hash, and a list of all its fields, each with its text or, if that is long, its SHA-1
--   .spans           flat: a field, its escaped name, and its days as fieldDays gives them
--   .old             key of the member's old days, for spans
--   .scores          flat: a sorted set, and the member's score as a text; false: none
--   .names           other members whom it names
--   .commands        of each command that writes a list: its name, its key, and what follows. Two are no commands of
--                    Redis: HMAX a field and what its number is at least; NAMING as listKey has it
-- Returns of each unit 1; or 0: something has changed, so this call claims the member until it has judged anew; 2:
--   somebody whom it names was erased; 3: another call has claimed the member.
-- Cost: of what was judged by, an HGET a cell, an HGETALL a whole, a ZSCORE a score; the writes.
local call, KEYS = redis.call, KEYS
local plan = cmsgpack.unpack(ARGV[1])
local stem, days, first = ARGV[2], ARGV[3], tonumber(ARGV[4])
-- @include field-days
-- @include erased-members
-- @include naming

local function key(position)
  return KEYS[2 + position]
end

-- Two texts of one score may differ.
local function isScore(found, expected)
  return found == expected or found and expected and tonumber(found) == tonumber(expected)
end

local time = call('TIME')
local now, claimMs = time[1] * 1000 + math.floor(time[2] / 1000), 2000

local function isClaimedByOther(claim)
  local untilMs, token = string.match(claim or '', '^(%d+) (.*)$')
  return token and token ~= plan[PLAN.token] and tonumber(untilMs) > now
end

-- In whatever order: Redis lists a large hash in another one while it grows.
local function isWhole(hash, expected)
  local all, texts = call('HGETALL', hash), {}
  for i = 1, #expected, 2 do texts[expected[i]] = expected[i + 1] end
  for i = 1, #all, 2 do
    if texts[all[i]] ~= all[i + 1] and texts[all[i]] ~= redis.sha1hex(all[i + 1]) then return false end
  end
  return #all == #expected
end

local function isAsJudged(unit)
  local member = unit[UNIT.member]
  for i = 1, #unit[UNIT.cells], 3 do
    local cell = unit[UNIT.cells]
    if call('HGET', key(cell[i]), cell[i + 1]) ~= cell[i + 2] then return false end
  end
  for i = 1, #unit[UNIT.wholes], 2 do
    if not isWhole(key(unit[UNIT.wholes][i]), unit[UNIT.wholes][i + 1]) then return false end
  end
  for i = 1, #unit[UNIT.spans], 3 do
    local name, escaped, expected = unpack(unit[UNIT.spans], i, i + 2)
    if fieldDays(stem, member, days, first, key(unit[UNIT.old]), name, escaped) ~= expected then return false end
  end
  for i = 1, #unit[UNIT.scores], 2 do
    if not isScore(call('ZSCORE', key(unit[UNIT.scores][i]), member), unit[UNIT.scores][i + 1]) then return false end
  end
  return true
end

local function run(command)
  local name, at, field, value = command[1], key(command[2]), command[3], command[4]
  if name == 'NAMING' then
    listKey(at, field, value, plan[PLAN.nowMs])
  elseif name == 'HMAX' then
    if value > (tonumber(call('HGET', at, field) or nil) or 0) then call('HSET', at, field, string.format('%d', value)) end
  else
    -- Sums of what lies in pages may leave the range of whole numbers.
    local call = name == 'HINCRBY' and redis.pcall or call
    call(name, at, unpack(command, 3))
  end
end

local replies = {}
for i = 1, #plan[PLAN.marks], 2 do
  if call('EXISTS', key(plan[PLAN.marks][i])) ~= plan[PLAN.marks][i + 1] then
    for n = 1, #plan[PLAN.units] do replies[n] = 0 end
    return replies
  end
end
local hasClaims = call('EXISTS', KEYS[2]) == 1
for _, unit in ipairs(plan[PLAN.units]) do
  local member, state = unit[UNIT.member], 1
  local claim = hasClaims and call('HGET', KEYS[2], member)
  if isClaimedByOther(claim) then
    state = 3
  elseif plan[PLAN.isErasing] == 1 and erasedAmong(KEYS[1], { member, unpack(unit[UNIT.names]) }, plan[PLAN.nowMs]) then
    state = 2
  elseif not isAsJudged(unit) then
    state = 0
  end
  replies[#replies + 1] = state
  if state == 0 and plan[PLAN.token] ~= '' then
    call('HSET', KEYS[2], member, string.format('%.0f %s', now + claimMs, plan[PLAN.token]))
    call('PEXPIRE', KEYS[2], claimMs)
  end
  if state == 1 then
    for _, command in ipairs(unit[UNIT.commands]) do run(command) end
    if claim then call('HDEL', KEYS[2], member) end
  end
end
return replies
