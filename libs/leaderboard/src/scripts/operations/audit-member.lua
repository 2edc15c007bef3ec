-- Compares a member's entries on boards with what his ledgers add up to, at one moment, and where it is told to, puts them
-- right.
--
-- KEYS[1] excluded     sorted set: members whose entries belong beside the boards (1) or are on their way back (0)
-- KEYS[2] days         sorted set: the days of which the member has ledgers, where days are listed
-- KEYS[3] firstDays    sorted set: members by the number of the day on which they were first seen
-- KEYS[4] counting     the generation of the counts that ledgers keep
-- KEYS[5] rebuilt      hash: what was replaced of the member's entries, as include/rebuilt-entries.lua has it
-- KEYS[6] erased       sorted set: the digests of erased members, as refuse-member.lua keeps it
-- KEYS[7..] sets       board after board, and part after part of it, the sorted set and the set beside it
-- KEYS[n..] ledgers    the member's ledgers, in the order of their days
-- KEYS[n..] frozen     for each of the boards, in their order, the key that is there while it is frozen: the last KEYS
-- ARGV[1] plan         JSON: [member, own, listed, boards, day to put on the list of days | 0, when the ledgers' days begin
--   in ms, beside, what the fields begin with that count once in several days, nowMs]
--   own: the place of the ledger that he was found by: a board is looked at by the first ledger of its period alone, so
--     that who meets each of a member's ledgers compares each of his entries once; 0: he was found on a board, which is
--     looked at where no ledger of its period is there
--   listed: 0 | [first day, last day, how many days were listed from one to the other when the call was made]
--   boards: [place of its first set, how many pairs of sets, place of its first ledger, of its last, unit, originMs, tickMs,
--     lastElapsed, expireAtMs | 0, name, what the fields begin with that count there | 0: all do, tally 0 | 1,
--     what his points are beside the sum: 0 equal | 1 at least it, as ledgers of its first days are gone | 2 at most it, as
--     grants that name no part count on none, may be put right 0 | 1]
--   beside: what is kept beside the fields of the ledger that he was found by, as include/audit-beside.lua has it
-- Returns for each board three numbers, flat: what was found, what his ledgers add up to, what his entry says (-1: there is none):
--   0 left to another look, or frozen, so that ledgers may go on without it, 1 right, 2 other points, 3 he stands on the board and beside it, 4 he stands at the wrong one of the two,
--   5 another time than his ledgers allow, of which the two other numbers are then: the bound that it passes, and itself, in ms
--   -- then what include/audit-beside.lua found -- or nothing, where his days are no longer those listed.
-- Of an erased member nothing is put back and nothing kept: they are right where they have no entry, and an entry is removed.
-- Cost: an HGETALL a ledger, up to one EXISTS a ledger, one EXISTS a board, two ZSCORE a pair of sets; one HGET, and one ZSCORE, of what is beside.
local call = redis.call
-- @include erased-members
local plan = cjson.decode(ARGV[1])
local member, own, listed, boards = plan[1], plan[2], plan[3], plan[4]
local starts, spread = plan[6], plan[8]
local ledgersFrom = 6
for _, board in ipairs(boards) do
  ledgersFrom = ledgersFrom + 2 * board[2]
end

if listed ~= 0 and call('ZCOUNT', KEYS[2], listed[1], listed[2]) ~= listed[3] then return {} end
local erased = erasedAmong(KEYS[6], { member }, plan[9])
local isErased = erased and erased[1] or false
if plan[5] > 0 and not isErased then call('ZADD', KEYS[2], plan[5], plan[5]) end

local there, fields = {}, {}
local function isThere(ledger)
  if there[ledger] == nil then there[ledger] = call('EXISTS', KEYS[ledgersFrom + ledger]) == 1 end
  return there[ledger]
end

local function fieldsOf(ledger)
  if not fields[ledger] then fields[ledger] = isThere(ledger) and call('HGETALL', KEYS[ledgersFrom + ledger]) or {} end
  return fields[ledger]
end

local function startsWithOne(field, beginnings)
  if beginnings == 0 then return true end
  for _, beginning in ipairs(beginnings) do
    if string.sub(field, 1, #beginning) == beginning then return true end
  end
  return false
end

-- What an adjustment, or what one gave back, changed on a board or on parts of it.
local function adjusted(value, name)
  local sum = 0
  local changes = string.match(value, '^[^;]*;[^;]*;;;%-?%d+;([^;]*);') or ''
  for where, change in string.gmatch(changes, '([^=,]+)=(%-?%d+)') do
    if where == name or string.sub(where, 1, #name + 1) == name .. '/' then sum = sum + tonumber(change) end
  end
  return sum
end

-- @include audit-sums

-- Whether this look is the one that compares a board. A frozen one is final: it is neither compared nor put right.
local function isOurs(board, b)
  if call('EXISTS', KEYS[#KEYS - #boards + b]) == 1 then return false end
  local last = own == 0 and board[4] or own - 1
  for ledger = board[3], last do
    if isThere(ledger) then return false end
  end
  return own == 0 or isThere(own)
end

local isAside = call('ZSCORE', KEYS[1], member) == '1'

-- His entries on a board together, and where they stand.
local function found(board)
  local entry, isTwice, isMisplaced, sum = nil, false, false, 0
  for part = 0, board[2] - 1 do
    local shown = tonumber(call('ZSCORE', KEYS[6 + board[1] + 2 * part], member) or nil)
    local beside = tonumber(call('ZSCORE', KEYS[7 + board[1] + 2 * part], member) or nil)
    isTwice = isTwice or shown and beside and true
    isMisplaced = isMisplaced or isAside and shown and true or not isAside and beside and true
    local here = isAside and (beside or shown) or not isAside and (shown or beside)
    if here then
      entry = here
      sum = sum + math.floor(here / board[5])
    end
  end
  return entry, sum, isTwice, isMisplaced
end

-- @include rebuilt-entries

-- What is emptied is touched by nothing after: its slot may be on its way to another master.
local function putRight(board, entry, sum, times, moved)
  local set, other = KEYS[6 + board[1]], KEYS[7 + board[1]]
  if isErased then
    call('ZREM', set, member)
    call('ZREM', other, member)
    return
  end
  local before = entriesOf(set, other)
  if isAside then set, other = other, set end
  if sum <= 0 and (not entry or own == 0) then
    call('ZREM', set, member)
  else
    local unit = board[5]
    local elapsed = moved or entry and elapsedOf(board, entry)
    if not elapsed or elapsed < times.first or elapsed > times.last then
      elapsed = keptElapsed(board, sum, times) or times.latest or times.first
    end
    call('ZADD', set, string.format('%d', (sum > 0 and sum or 0) * unit + unit - 1 - elapsed), member)
    if board[9] > 0 then call('PEXPIREAT', set, board[9]) end
  end
  call('ZREM', other, member)
  keepReplaced(board, before)
end

local replies, r = {}, 0
for b, board in ipairs(boards) do
  local state, sum, points = 0, 0, -1
  if isOurs(board, b) then
    local entry, all, isTwice, isMisplaced = found(board)
    local times
    sum, times = sumOf(board)
    -- Their ledgers may be there still, until the erasure has come to them.
    local isLeft = isErased and entry and board[14] == 1
    if isErased and (isLeft or not entry) then sum = 0 end
    points = entry and all or -1
    local isRight = not isLeft and (all == sum or board[13] == 1 and all > sum or board[13] == 2 and all < sum)
    local bound = entry and board[13] ~= 2 and times.latest and boundPassed(board, entry, times)
    local moved = isRight and entry and not bound and movedFrom(board, all, entry, times)
    bound = bound or moved
    state = isTwice and 3 or not isRight and 2 or isMisplaced and 4 or bound and 5 or 1
    if state > 1 and board[14] == 1 then
      putRight(board, entry, isRight and all or sum, times, moved)
    end
    if state == 5 then sum, points = msOf(board, bound), msOf(board, elapsedOf(board, entry)) end
  end
  replies[r + 1], replies[r + 2], replies[r + 3] = state, sum, points
  r = r + 3
end

-- @include daily-counts
-- @include audit-beside

return replies
