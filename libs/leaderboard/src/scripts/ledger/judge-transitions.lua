-- Judges a batch of grants and revokes of one shard's members, in order, by all rules of a ledger, and moves ledgers
-- and boards together. Plain grants of today alone go to record-grants.lua, which means the same.
--
-- KEYS[1..] boards          the boards' sorted sets, in the order of the plan's boards
-- KEYS[n..] others          ledgers, each followed by the member's list of days where days are listed; hashes of
--   general revokes (field -> moments); keys of custom limits: the plan names them by position
-- KEYS[n..] windows         sliding windows; the plan names each by its number among them
-- KEYS[n..] excludedBoards  for each of the boards the sorted set beside it: the entries of excluded members
-- KEYS[n..] counting        one key: the generation of the counts that ledgers keep
-- KEYS[n..] erased          one sorted set: the digests of erased members, by the moment until which they are refused
-- KEYS[n..] excluded        one sorted set: members who are excluded (1) or being restored (0)
-- KEYS[n..] frozen          for each of the boards the key that is there while it is frozen: the last KEYS
-- ARGV[1]   plan            as include/plan.lua has it
--   A limited grant, or one that is counted for other limits' sake, has a negative member.
--   A transition that is no plain grant has 0 in front of it, and for value a table
--     { op: grant | revoke | dayRevoke, moment, version?, days: DAY lists, ascending (group 0: the day is only read),
--     own: number of its own day in days, knownDays?: the member's days as the caller knew them, from: first day that
--     is judged, once: days in which it counts once, revokes?: position of the general revokes, revokesPages?: as
--     .pages of a DAY, revokesExpireAtMs, revokesFromMs, limits?: what LIMITS.ofGrants has of a limited grant,
--     remembered?: of what counts once for good, position of the days remembered, closed?: the numbers of those that
--     the caller knew and that are not in days; left out: none is needed, id?: { position of the member's ids, the id,
--     the day until which it is kept, today }, applied?: of points below zero, or with whole, position of the member's
--     adjustments, whole?: number of the group of all boards of its day, which caps need that change other fields }, or
--     of an adjustment (include/adjustments.lua) { op: adjust, moment, applied: position, names of the group's boards,
--     note }.
-- @record LIMITS
--   .digest          of the counts; empty: none is kept
--   .generation      begins where another set of counts was kept
--   .counters        what include/daily-counts.lua counts
--   .caps            of each counter the most that include/caps.lua allows; 0: none
--   .lists           lists of limits, as include/limits.lua has them
--   .countedBy       of each list the numbers of the counters that count grants under it
--   .windowCount
--   .windowLists     of each window the positions of the lists of keys that name whom it names
--   .ofGrants of each limited grant, one after the other, flat, its list of limits, and for each limit of the list that
--   needs
--                    one, in order: the number of its window (0: the limit does not apply), or of a custom limit what
--                    GIVEN lists
-- @record DAY
--   .group .ledger .day
--   .pages           of a field that may lie in a page, as PAGED of include/pages.lua has it
-- Returns of each event, one after the other, flat, its OUTCOME and the member's score on each of the group's boards
--   after it, as a string from 2^53 on, either way, 0 where there is none, -2^53 where the board is frozen. Where more
--   is to say than that a grant has all its points, and anything else none, the outcome is negative, and two more
--   follow it: the change of points, and a detail:
--     of a refusal the number of the limit, or as a string that number, a comma and the first moment at which the grant
--     would be
--       allowed, or ! and the fault of a custom limit;
--     of what changed other days, as a string, the groups of all days that changed, by commas;
--     of an adjustment, as a string, what it changed on each board by name;
--     of one that is crowded, what OUTCOME says; else 0.
--   Where boards are frozen or members excluded, a string follows at the end: the frozen boards' numbers, by commas, a
--   semicolon, and the numbers of the excluded members' names, by commas.
-- An event that cannot be judged, since something stored cannot be read, ends the call with that error. What was judged
-- before
--   it is in ledgers and boards alike, and a duplicate when the call is repeated; nothing is done of what it ended.
-- Cost: as record-grants.lua; several events of a member, or a limited one, an HMGET and an HSET; where anybody is
--   excluded or was erased a ZMSCORE a board; of all windows one MGET, and of each one APPEND or SET; of daily limits
--   one GET.
local call, KEYS = redis.call, KEYS
-- @include plan
-- @include board-scores

-- By members' numbers: whether a member is excluded (true) or being restored (false).
local isExcluded = {}

-- One command asks for what is rarely there: counts that nobody keeps any more, erased and excluded members, frozen
-- boards.
local isCounting, marked = plan[PLAN.limits] ~= 0 and plan[PLAN.limits][LIMITS.digest] ~= '', 0
for first = isCounting and -1 or -2, #boards, 4000 do
  marked = marked + call('EXISTS', unpack(KEYS, marks + first, marks + math.min(first + 3999, #boards)))
end

-- By members' numbers: who was erased; by events' numbers: whether the event names an erased member, or is one's.
local erased, naming
if marked > 0 then
  -- @include erased-members
  local asked, named = names, plan[PLAN.named]
  if named ~= 0 then
    asked = { unpack(names) }
    for at = 1, #named, NAMED.field + 1 do
      asked[#asked + 1] = named[at + NAMED.name]
    end
  end
  local isKept
  erased, isKept = erasedAmong(KEYS[marks - 1], asked, plan[PLAN.nowMs])
  naming = {}
  for at = 1, erased and named ~= 0 and #named or 0, NAMED.field + 1 do
    naming[named[at]] = naming[named[at]] or erased[#names + (at + NAMED.field) / (NAMED.field + 1)]
  end
  if isKept and not erased then marked = marked - 1 end
end

-- @include keep-ledger
-- @include partitions
-- @include short-value
-- @include marks
-- @include pages
-- @include new-grants
-- @include packed
-- @include board-moves

-- The position of the ledger of a group's member.
local function ledgerOf(group, l)
  return group[GROUP.ledgers] == 0 and group[GROUP.firstLedger] + l - 1 or group[GROUP.ledgers][l]
end

-- The number of the name of a group's member.
local function nameOf(group, l)
  return group[GROUP.members] == 0 and l or group[GROUP.members][l]
end

-- Replies have whole numbers of 63 bits, and clients read 53 of them.
local function told(score)
  if score < mostExact and score >= -mostExact then return score end
  return string.format('%.0f', score)
end

local function answer(group, m, outcome, points, change, detail)
  if detail == 0 and change == (outcome == OUTCOME.granted and points or 0) then
    r = r + 1
    replies[r] = outcome
  else
    replies[r + 1], replies[r + 2], replies[r + 3] = -outcome, change, detail
    r = r + 3
  end
  local onBoards = group[GROUP.allBoards] or group[GROUP.boards]
  for i = 1, #onBoards do
    local b = onBoards[i]
    local score = moved[b][m] or found[b][m] or 0
    r = r + 1
    replies[r] = isRoomy and score or told(score)
  end
end

-- @include naming

-- The functions of limits and counts; nil where nothing is limited or counted. What limits the limited grants, one
-- after the other, and where the next one's begins.
local limits, limitsOf
local limitsAt = 1
if plan[PLAN.limits] ~= 0 then
  local nowMs, windowCount = plan[PLAN.nowMs], plan[PLAN.limits][LIMITS.windowCount]
  local limitLists, countedBy = plan[PLAN.limits][LIMITS.lists], plan[PLAN.limits][LIMITS.countedBy]
  -- @include daily-counts
  -- @include sliding-windows
  -- @include limits
  -- @include caps
  -- @include refused-grants
  -- @include limited-grants
  limitsOf = plan[PLAN.limits][LIMITS.ofGrants]
  countBy(plan[PLAN.limits][LIMITS.counters])
  startCounting(KEYS[marks - 2], plan[PLAN.limits][LIMITS.digest], plan[PLAN.limits][LIMITS.generation])
  local beforeWindows = marks - 3 - #boards - windowCount
  local windowLists = plan[PLAN.limits][LIMITS.windowLists]
  readWindows(beforeWindows, windowCount)
  limits = {
    lists = limitLists,
    allowed = allowed,
    takePlaces = takePlaces,
    tryPlaces = tryPlaces,
    giveBackPlaces = giveBackPlaces,
    refusedEnd = refusedEnd,
    refusedValue = refusedValue,
    cutValue = cutValue,
    leaveCaps = leaveCaps,
    counters = counters,
    caps = caps,
    isCounted = isCounted,
    cappedNumbers = cappedNumbers,
    latestAt = latestAt,
    sinceDay = sinceDay,
    isBehind = isBehind,
    noteLatest = noteLatest,
    capThatRefused = capThatRefused,
    limitOfCounter = limitOfCounter,
    count = count,
    counts = counts,
    isCounting = countHeader ~= nil,
    keptCounts = keptCounts,
    takeChangedCounts = takeChangedCounts,
    widths = widths,
    grantEach = grantEachLimited,
    write = function(isFaulty)
      if isFaulty then
        dropCounts()
        giveBackPlaces()
      else
        writeCounts()
      end
      writeWindows(beforeWindows, windowCount)
      -- Servers' clocks differ from ours: a window is listed for a minute longer than it is kept.
      for w = 1, windowCount do
        for l = 1, rewritten[w] and #windowLists[w] or 0 do
          local name = string.match(KEYS[beforeWindows + w], '}:(.*)$')
          listKey(KEYS[others + windowLists[w][l]], name, string.format('%.0f', nowMs + rewritten[w] + 60000), nowMs)
        end
      end
    end,
  }
end

-- Judges what is no plain grant of something new; made where there is such, since every function costs time.
local judge, judgeById, adjust
local function makeJudges()
  -- @include standing
  -- @include ledger-field
  -- Where there are no points, the version alone says that a grant stands.
  local function versionOf(points, own)
    local mark = own or plan[PLAN.version]
    return points == 0 and mark == '' and 'v1' or mark
  end
  -- @include adjustments
  -- @include remembered-days
  -- @include times-left
  -- @include day-caps
  -- @include judgement
  -- @include ids
  return judge, judgeById, adjust
end

-- Writes what is judged of the ledger that is open: read and written once for several events. Nil where none is.
local writeOpenLedger
-- @include plain-grants

-- The frozen boards' numbers, by commas; nil where none is.
local frozen
local function judgeAll()
  if marked > 0 then
    -- @include excluded-members
    -- @include frozen-boards
    if not isCounting then call('DEL', KEYS[marks - 2]) end
    if call('EXISTS', KEYS[marks]) == 1 then findExcluded(KEYS[marks]) end
    frozen = leaveFrozen()
    if erased then
      -- @include refused-transitions
    end
  end
  for run = 1, #runs, 2 do
    local number, events, i = runs[run], runs[run + 1], 1
    local group = groups[number]
    local isClosed, areAll = #group[GROUP.boards] == 0, not group[GROUP.allBoards]
    while i <= #events do
      local l, from = events[i], i
      if l == 0 or isClosed then
        i = judgeEvent(group, events, i, isClosed)
      elseif isRoomy and areAll and not leftOut then
        local thrown
        if l > 0 then i, thrown = grantEach(group, events, i, grantByLedgers) else i, thrown = limits.grantEach(group, events, i) end
        if thrown then error(thrown, 0) end
      end
      if i == from then i = grantTogether(number, events, i) end
    end
  end
end

-- What fails ends the judging; what was judged before it is written all the same.
local isJudged, fault = pcall(judgeAll)
if writeOpenLedger then pcall(writeOpenLedger) end
if limits then limits.write(not isJudged) end
-- @include excluded-writes
-- @include board-writes

-- What was refused as erased has no field; or that of an erasure which is under way, and which lists no
-- key anew.
local named = plan[PLAN.named]
for at = 1, named ~= 0 and #named or 0, NAMED.field + 1 do
  local list, position, field = named[at + NAMED.list], named[at + NAMED.position], named[at + NAMED.field]
  local page = pageIn(position, field)
  local key = KEYS[page or others + position]
  if list > 0 and not (naming and naming[named[at]]) then
    local isThere = field == '' and call('EXISTS', key) or field ~= '' and call('HEXISTS', key, field)
    if isThere == 1 then
      local name = page and string.match(key, '}:(.*)$') or named[at + NAMED.key]
      listKey(KEYS[others + list], name, named[at + NAMED.expireAtMs], plan[PLAN.nowMs])
    end
  end
end

if not isJudged then error(fault, 0) end
local hidden = {}
for m, isHidden in pairs(isExcluded) do
  if isHidden then hidden[#hidden + 1] = m end
end
if frozen or #hidden > 0 then replies[r + 1] = (frozen or '') .. ';' .. table.concat(hidden, ',') end
return replies
