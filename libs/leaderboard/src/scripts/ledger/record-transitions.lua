-- Judges a batch of grants and revokes of one shard's members, in order, and moves ledgers and boards together.
--
-- KEYS[1..] boards     the boards' sorted sets, in the order of the plan's boards
-- KEYS[n..] others     ledgers, each followed by the member's list of days where days are listed, hashes of general revokes (field -> moments), and keys of own limits; the plan names each by its place after the boards
-- KEYS[n..] windows    sliding windows; the plan names each by its place among them
-- KEYS[n..] asides     for each of the boards, in their order, the sorted set beside it: the entries of those who are excluded
-- KEYS[n..] counting   one key: the generation of the counts that ledgers keep
-- KEYS[n..] erased     one sorted set: the digests of erased members, by the moment until which they are refused
-- KEYS[n..] excluded   one sorted set: members whose entries belong beside the boards (1) or are on their way back (0)
-- KEYS[n..] frozen     for each of the boards, in their order, the key that is there while it is frozen: the last KEYS
-- ARGV[1]   plan       MessagePack: [boards, groups, runs, daysExpireAtMs | 0 | -1: days are not listed, version: v and the number of the terms by which points are granted, empty for the first, where an event names none of its own, limits | 0: none, and nothing is counted, place of the members' first days | 0: they are not kept, the members' names, no less than all points that the call could add, the present ms, other members whom events name: flat, of each the event's number and the name | 0: none]
--   boards: flat, of each originMs, tickMs, unit, lastElapsed, the least score that is too high, expireAtMs | 0, of a part of a
--     partitioned board the place of the sorted set that lists the parts, and its name there, else false twice, and whether it
--     is a tally, which counts grants instead of points
--   groups: flat, one a day and set of boards, of each ledgerExpireAtMs | 0, day board's place | 0, how many boards it has, the
--     members of its events by their names' places | 0: all, in that order, day, the places of the members' ledgers | 0: one after
--     the other, the place of the first, and the places of its boards
--   limits: [digest of the counts '' | those that are kept, a generation to start, counters,
--     lists of limits: [1: daily, max, counter], [2: sliding, max, windowMs, keepMs] or [3: own, type], the present ms, how many windows there are]
--   runs: flat, of each its group, and the events that follow one another in it, flat: member's place in the group, field, value, points, ms
--     A plain grant has the value `points;moment`, points with their version, as the ledger keeps it. Where it is limited, the
--     member's place is negative, and these follow: its list, and for each limit of it that needs one, in order: its window's
--     place | 0: it does not apply, or of an own limit [places of its keys, its arguments]. All else has 0 and then the member's place, and for value
--     { op: grant | revoke | dayRevoke, moment, version?, days: [[group | 0, ledger, day]...] ascending (0: read only),
--     own: its own place in days, knownDays?: the member's days as far as they were known, from: the day from which days are judged anew, once: days in which it counts once,
--     revokes?: key, revokesExpireAtMs, revokesFromMs, limits?: [what follows a limited plain grant] }, or, of an adjustment
--     (include/adjustments.lua), { op: adjust, moment, applied: key, names of the group's boards, note }.
--     Limited plain grants of a member that follow one another read and write his ledger once.
-- Returns of each event, one after the other, flat, its outcome and the member's score on each of the group's boards after it, 0
--   where there is none, -1 where the board is frozen. Outcomes: 0 not judged: the member has days that were not known, 1 granted,
--   2 revoked, 3 duplicate, 4 limited, 5 notGranted, 6 out of range, 7 closed: all boards of its day are frozen, 8 refused: it concerns an erased member, or names one. Where more is to
--   say than that a grant has all its points, and anything else none, the outcome is negative, and two more follow it: the change of points, and
--   the number of the limit that refused or cut it | 0 | where it is refused and more is to say, as a string: that number, a
--   comma, and the first moment at which it would be allowed, or ! and the fault of an own limit | where other days than its
--   own changed, as a string: the groups of all that did, by commas | of an adjustment, as a string, what it changed on each board by
--   name.
-- Where any board is frozen, the places of those that are follow at the end, as a string, by commas.
-- An event that cannot be judged, since something stored cannot be read, ends the call with that error. What was judged before
--   it is in ledgers and boards alike, and a duplicate when the call is repeated; nothing is done of what it ended.
-- Cost: one EXISTS a call, where anybody was erased of late one ZRANGE, one ZMSCORE and a digest a member, and where anybody of the shard is excluded a few more and one ZMSCORE; a plain grant of a new field is
--   one HSETNX, of one that stands also an HGET and an HSET; a limited one, or several of a member, one HMGET and one HSET; each
--   board costs one ZMSCORE, one ZADD and at most one PTTL a call;
--   all windows one MGET a call, each one APPEND, at times a SET; counts of daily limits one GET a call.
-- What is made at the top is made in every call, and costs it: what few calls need is made where one does.
-- A local is found sooner than a global.
local call, KEYS = redis.call, KEYS
local plan = cmsgpack.unpack(ARGV[1])
local runs, names, mostPoints = plan[3], plan[8], plan[9]
-- What comes flat is made into lists here: unpacked with the plan, a short one takes several times as long.
local boards, groups = {}, {}
for at = 1, #plan[1], 9 do
  boards[#boards + 1] = { unpack(plan[1], at, at + 8) }
end
local at = 1
while at < #plan[2] do
  local group = { unpack(plan[2], at, at + 6) }
  local last = at + 6 + group[3]
  group[3] = { unpack(plan[2], at + 7, last) }
  groups[#groups + 1], at = group, last + 1
end
-- What the places of other keys, and of the boards' marks, are counted from.
local others, marks = #boards, #KEYS - #boards
local daysExpireAtMs, version, firstDays = plan[4], plan[5], plan[7]
local unjudged, granted, revoked, duplicate, limited, notGranted, outOfRange, closed, refused = 0, 1, 2, 3, 4, 5, 6, 7, 8

-- @include board-scores

-- By members' places: whose entries belong beside the boards (true), or are on their way back; see excluded-members.lua.
local isAside, hasAside = {}, false

-- One command asks for what hardly ever is there: counts that nobody keeps any more, erased and excluded members, frozen boards.
local isCounting, marked = plan[6] ~= 0 and plan[6][1] ~= '', 0
for first = isCounting and -1 or -2, #boards, 4000 do
  marked = marked + call('EXISTS', unpack(KEYS, marks + first, marks + math.min(first + 3999, #boards)))
end

-- By members' places: who was erased; by events' numbers: which name somebody who was. Where nobody here was, the list costs no more.
local erased, naming
if marked > 0 then
  -- @include erased-members
  local asked, named = names, plan[11]
  if named ~= 0 then
    asked = { unpack(names) }
    for at = 2, #named, 2 do
      asked[#asked + 1] = named[at]
    end
  end
  local isKept
  erased, isKept = erasedAmong(KEYS[marks - 1], asked, plan[10])
  naming = {}
  for at = 1, erased and named ~= 0 and #named or 0, 2 do
    naming[named[at]] = naming[named[at]] or erased[#names + (at + 1) / 2]
  end
  if isKept and not erased then marked = marked - 1 end
end

-- Called where a ledger may be new: its expiry is a fixed moment, setting it again changes nothing.
local function keepLedger(group, place, m)
  if firstDays > 0 then call('ZADD', KEYS[others + firstDays], 'LT', group[5], names[m]) end
  if group[1] > 0 then call('PEXPIREAT', KEYS[others + place], group[1]) end
  if daysExpireAtMs < 0 then return end
  local days = KEYS[others + place + 1]
  call('ZADD', days, group[5], group[5])
  if daysExpireAtMs > 0 then call('PEXPIREAT', days, daysExpireAtMs) end
end

local replies, r, frozenPlaces = {}, 0, nil

-- The error that ended the judging: it is raised when everything is written that was judged before it.
local fault

-- @include new-grants

-- Most calls have nothing else.
local run, i = 1, 1
while plan[6] == 0 and marked == 0 and isRoomy and run <= #runs do
  local events = runs[run + 1]
  i, fault = grantEach(groups[runs[run]], events, 1)
  if i <= #events then break end
  run, i = run + 2, 1
end

-- What a call has that limits or counts anything: the functions that it needs for that. Nil where nothing does.
local limits

-- Writes what is judged of the ledger that is just read and written once for several events. Nil where there is none.
local writeOpenLedger

-- What judges all else is made where there is such: every function costs time.
if run <= #runs and not fault then
  local function judgeAllElse()
    -- @include board-moves

    -- The place of the ledger of a group's member.
    local function ledgerPlaceOf(group, l)
      return group[6] == 0 and group[7] + l - 1 or group[6][l]
    end

    -- Answers an event.
    local function answer(group, m, outcome, points, change, detail)
      if detail == 0 and change == (outcome == granted and points or 0) then
        r = r + 1
        replies[r] = outcome
      else
        replies[r + 1], replies[r + 2], replies[r + 3] = -outcome, change, detail
        r = r + 3
      end
      local onBoards = group[8] or group[3]
      for i = 1, #onBoards do
        local b = onBoards[i]
        r = r + 1
        replies[r] = moved[b][m] or found[b][m] or 0
      end
    end

    if plan[6] ~= 0 then
      local digest, generation, limitLists, nowMs, windowCount = plan[6][1], plan[6][2], plan[6][4], plan[6][5], plan[6][6]
      -- @include daily-counts
      -- @include sliding-windows
      -- @include limits
      -- @include limited-grants
      counters = plan[6][3]
      startCounting(KEYS[marks - 2], digest, generation)
      local beforeWindows = marks - 3 - #boards - windowCount
      for first = 1, windowCount, 7000 do
        local last = math.min(first + 6999, windowCount)
        local read = call('MGET', unpack(KEYS, beforeWindows + first, beforeWindows + last))
        for w = 1, #read do
          windows[first + w - 1] = read[w]
        end
      end
      limits = {
        lists = limitLists,
        allowed = allowed,
        takePlaces = takePlaces,
        tryPlaces = tryPlaces,
        count = count,
        counts = counts,
        isCounting = countHeader ~= nil,
        keptCounts = keptCounts,
        takeChangedCounts = takeChangedCounts,
        widths = widths,
        grantLimited = grantLimited,
        write = function()
          if fault then
            dropCounts()
            giveBackPlaces()
          else
            writeCounts()
          end
          writeWindows(beforeWindows)
        end,
      }
    end

    -- Judges what is no plain grant of something new; made where there is such.
    local judge, adjust
    local function makeJudges()
      -- @include ledger-field
      -- Where there are no points, the version alone says that a grant stands.
      local function versionOf(points, own)
        local mark = own or version
        return points == 0 and mark == '' and 'v1' or mark
      end
      -- @include adjustments
      -- @include judgement
      return judge, adjust
    end

    -- @include plain-grants

    if marked > 0 then
      -- @include excluded-members
      -- @include frozen-boards
      if not isCounting then call('DEL', KEYS[marks - 2]) end
      if call('EXISTS', KEYS[marks]) == 1 then findAside(KEYS[marks]) end
      frozenPlaces = leaveFrozen()
      if erased then
        -- @include refused-transitions
      end
    end

    local widths = limits and limits.widths
    while run <= #runs do
      local place, events = runs[run], runs[run + 1]
      local group = groups[place]
      local places, isClosed, hasRoom = group[4], #group[3] == 0, isRoomy and not group[8]
      local last = #events
      while i <= last do
        local l, from = events[i], i
        if l == 0 or isClosed then
          i = judgeEvent(group, events, i, isClosed)
        elseif l < 0 then
          local after = i + 5 + widths[events[i + 5]]
          local isAlone = events[after] ~= l and events[after] ~= -l
          if isAlone and limits.grantLimited(group, -l, places == 0 and -l or places[-l], events, i) then i = after end
        elseif hasRoom then
          local thrown
          i, thrown = grantEach(group, events, i)
          if thrown then error(thrown, 0) end
        end
        if i == from then i = grantTogether(place, events, i) end
      end
      run, i = run + 2, 1
    end
  end

  local ran, thrown = pcall(judgeAllElse)
  if not ran then fault = thrown end
  if writeOpenLedger then pcall(writeOpenLedger) end
  if limits then limits.write() end
end

-- @include board-writes

if fault then error(fault, 0) end
if frozenPlaces then replies[r + 1] = frozenPlaces end
return replies
