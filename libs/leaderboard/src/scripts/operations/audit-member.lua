-- Compares a member's entries on boards with the sum of their ledgers, at one moment, and repairs them if asked to.
--
-- KEYS[1] excluded     sorted set: members whose entries belong beside the boards (1) or are on their way back (0)
-- KEYS[2] days         sorted set: the days of which the member has ledgers, where days are listed
-- KEYS[3] firstDays    sorted set: members by the number of the day on which they were first seen
-- KEYS[4] counting     the generation of the counts that ledgers keep
-- KEYS[5] rebuilt      hash: the member's replaced entries, as include/rebuilt-entries.lua has them
-- KEYS[6] erased       sorted set: the digests of erased members, as refuse-member.lua keeps it
-- KEYS[7] recalled     sorted set: the member's old ledgers that were wanted, as touch-ledgers.lua has it
-- KEYS[8..] sets       board after board, and part after part of it, the sorted set and the set beside it
-- KEYS[n..] ledgers    the member's ledgers, in the order of their days
-- KEYS[n..] pages      the first page of each of them
-- KEYS[n..] frozen     for each of the boards, in their order, the key that exists while it is frozen: the last KEYS
-- ARGV[1] plan         JSON of AUDIT
-- @record AUDIT
--   .member
--   .own             number of the ledger by which the member was found: a board is compared by the first ledger of its
--                    period alone, so that a walk of all ledgers compares each entry once; 0: found on a board, which
--                    is compared if its period has no ledger; -1: by ledgers that may have left Redis: all are compared
--   .listed          0, or LISTED
--   .boards          lists of AUDITED
--   .unlistedDay     day to put on the list of days; 0: none
--   .days            the ledgers' days
--   .beside          BESIDE, see include/audit-beside.lua
--   .nowMs
--   .cold            0, or the numbers of those ledgers that lie in the cold store alone
--   .wantedSince .wanted   how many ledgers of the shard were wanted in Redis since then
-- @record LISTED
--   .first .last .count   how many days were listed from one to the other when the call was made
-- @record AUDITED
--   .firstSet .setPairs   where its pairs of sets begin, and how many there are
--   .firstLedger .lastLedger
--   .unit .originMs .tickMs .lastElapsed .expireAtMs .name
--   .prefixes        prefixes of the fields that count there; 0: all
--   .isTally         0 or 1
--   .comparison      a COMPARISON
--   .heals           0 or 1
--   .coldPoints .coldLatest   what those ledgers add up to, and the latest moment that stands there, in ms; -1: none
-- @codes COMPARISON
--   .equal
--   .atLeast         the entry has at least the sum: ledgers of the first days are gone
--   .atMost          the entry has at most the sum: grants that name no partition count on none
-- @codes STATE
--   .left            left to another look, or frozen: its ledgers may change without the board
--   .right
--   .otherPoints
--   .twice           both the board and the set beside it have an entry
--   .misplaced       the entry lies in the wrong one of the two
--   .otherTime       than the ledgers allow; the two numbers are the bound that is passed, and the entry's time, in ms
--   .count .firstDay      of include/audit-beside.lua
-- Returns for each board three numbers, flat: a STATE, the sum of the ledgers, the entry's value (-2^53: no entry);
--   then what include/audit-beside.lua found; or nothing, if the member's days are no longer those listed, or a ledger
--   of the cold store came back.
-- An erased member should have no entry: an entry is removed, nothing is restored and nothing is kept for a restore.
-- Cost: an HGETALL a ledger, and one of its first page where it is large, up to one EXISTS a ledger, one EXISTS a
--     board, two ZSCORE a pair of sets; one HGET, and one ZSCORE, for include/audit-beside.lua.
local call = redis.call
-- @include erased-members
local plan = cjson.decode(ARGV[1])
local member, own, listed, boards = plan[AUDIT.member], plan[AUDIT.own], plan[AUDIT.listed], plan[AUDIT.boards]
local days = plan[AUDIT.days]
local ledgersFrom = 7
for _, board in ipairs(boards) do
  ledgersFrom = ledgersFrom + 2 * board[AUDITED.setPairs]
end

if listed ~= 0 and call('ZCOUNT', KEYS[2], listed[LISTED.first], listed[LISTED.last]) ~= listed[LISTED.count] then return {} end
local erased = erasedAmong(KEYS[6], { member }, plan[AUDIT.nowMs])
local isErased = erased and erased[1] or false
if plan[AUDIT.unlistedDay] > 0 and not isErased then call('ZADD', KEYS[2], plan[AUDIT.unlistedDay], plan[AUDIT.unlistedDay]) end

local there, fields = {}, {}
local function isThere(ledger)
  if there[ledger] == nil then there[ledger] = call('EXISTS', KEYS[ledgersFrom + ledger]) == 1 end
  return there[ledger]
end

if plan[AUDIT.cold] ~= 0 then
  if call('ZCOUNT', KEYS[7], plan[AUDIT.wantedSince], '+inf') ~= plan[AUDIT.wanted] then return {} end
  for _, ledger in ipairs(plan[AUDIT.cold]) do
    if isThere(ledger) then return {} end
  end
end

local function fieldsOf(ledger)
  if not fields[ledger] then fields[ledger] = isThere(ledger) and call('HGETALL', KEYS[ledgersFrom + ledger]) or {} end
  return fields[ledger]
end

-- @include marks
-- @include standing
-- @include short-value
-- @include audit-pages
-- @include packed
-- @include audit-sums

-- Whether this look is the one that compares a board. A frozen one is final: it is neither compared nor put right.
local function isOurs(board, b)
  if call('EXISTS', KEYS[#KEYS - #boards + b]) == 1 then return false end
  if own < 0 then return true end
  local last = own == 0 and board[AUDITED.lastLedger] or own - 1
  for ledger = board[AUDITED.firstLedger], last do
    if isThere(ledger) then return false end
  end
  return own == 0 or isThere(own)
end

local isAside = call('ZSCORE', KEYS[1], member) == '1'

-- The member's entries on a board together, and where they lie.
local function found(board)
  local entry, isTwice, isMisplaced, sum = nil, false, false, 0
  for part = 0, board[AUDITED.setPairs] - 1 do
    local shown = tonumber(call('ZSCORE', KEYS[7 + board[AUDITED.firstSet] + 2 * part], member) or nil)
    local beside = tonumber(call('ZSCORE', KEYS[8 + board[AUDITED.firstSet] + 2 * part], member) or nil)
    isTwice = isTwice or shown and beside and true
    isMisplaced = isMisplaced or isAside and shown and true or not isAside and beside and true
    local here = isAside and (beside or shown) or not isAside and (shown or beside)
    if here then
      entry = here
      sum = sum + math.floor(here / board[AUDITED.unit])
    end
  end
  return entry, sum, isTwice, isMisplaced
end

-- @include rebuilt-entries

-- What is emptied is touched by nothing after: its slot may be on its way to another master.
local function putRight(board, entry, sum, times, moved)
  local set, other = KEYS[7 + board[AUDITED.firstSet]], KEYS[8 + board[AUDITED.firstSet]]
  if isErased then
    call('ZREM', set, member)
    call('ZREM', other, member)
    return
  end
  local before = entriesOf(set, other)
  if isAside then set, other = other, set end
  -- Of ledgers that are gone nobody knows what was taken there.
  if sum < 0 and board[AUDITED.comparison] ~= COMPARISON.equal then sum = 0 end
  if sum == 0 and not times.latest then
    call('ZREM', set, member)
  else
    local unit = board[AUDITED.unit]
    local elapsed = moved or entry and elapsedOf(board, entry)
    if not elapsed or elapsed < times.first or elapsed > times.last then
      elapsed = keptElapsed(board, sum, times) or times.latest or times.first
    end
    call('ZADD', set, string.format('%.0f', packed(sum * unit, unit - 1 - elapsed)), member)
    if board[AUDITED.expireAtMs] > 0 then call('PEXPIREAT', set, board[AUDITED.expireAtMs]) end
  end
  call('ZREM', other, member)
  keepReplaced(board, before)
end

-- The key of the member's adjustments, with the tag of the others; and whether points below zero were ever granted to
-- the member: then a sum of some of the grants is no bound.
local appliedKey = string.match(KEYS[5], '^{[^}]*}:') .. 'adjusted:' .. member
local function isLowered()
  return call('HEXISTS', appliedKey, '-') == 1
end

local replies, r, noEntry = {}, 0, -2 ^ 53
for b, board in ipairs(boards) do
  local state, sum, points = STATE.left, 0, noEntry
  if isOurs(board, b) then
    local entry, all, isTwice, isMisplaced = found(board)
    local times
    sum, times = sumOf(board)
    -- Their ledgers may be there still, until the erasure has come to them.
    local isLeft = isErased and entry and board[AUDITED.heals] == 1
    if isErased and (isLeft or not entry) then sum = 0 end
    points = entry and all or noEntry
    -- What stands without any points together stays, with its time.
    local isMissing = not entry and sum == 0 and times.latest and not isErased and call('EXISTS', appliedKey) == 1
    local isRight = not isLeft and not isMissing and (all == sum or board[AUDITED.comparison] == COMPARISON.atLeast and all > sum
      or board[AUDITED.comparison] == COMPARISON.atMost and all < sum
      or board[AUDITED.comparison] ~= COMPARISON.equal and isLowered())
    local bound = entry and board[AUDITED.comparison] ~= COMPARISON.atMost and times.latest and boundPassed(board, entry, times)
    local moved = isRight and entry and not bound and movedFrom(board, all, entry, times)
    bound = bound or moved
    state = isTwice and STATE.twice or not isRight and STATE.otherPoints or isMisplaced and STATE.misplaced
      or bound and STATE.otherTime or STATE.right
    if state > STATE.right and board[AUDITED.heals] == 1 then
      putRight(board, entry, isRight and all or sum, times, moved)
    end
    if state == STATE.otherTime then sum, points = msOf(board, bound), msOf(board, elapsedOf(board, entry)) end
  end
  replies[r + 1], replies[r + 2], replies[r + 3] = state, sum, points
  r = r + 3
end

-- @include daily-counts
-- @include audit-beside

return replies
