-- Judges a batch of grants and revokes of one shard's members, in order, and moves ledgers and boards together.
--
-- KEYS[1..] boards     the boards' sorted sets, in the order of the plan's boards
-- KEYS[n..] others     ledgers, each followed by the member's list of days where days are listed, hashes of general revokes (field -> moments), windows, keys of own limits, and the generation of counts; the plan names each by its place after the boards
-- KEYS[n..] asides     for each of the boards, in their order, the sorted set beside it: the entries of those who are excluded
-- KEYS[n..] excluded   one sorted set: members whose entries belong beside the boards (1) or are on their way back (0)
-- KEYS[n..] frozen     for each of the boards, in their order, the key that is there while it is frozen: the last KEYS
-- ARGV[1]   plan       JSON: [boards, groups, runs, daysExpireAtMs | 0 | -1: days are not listed, version: v and the number of the terms by which points are granted, empty for the first, where an event names none of its own, limits, place of the members' first days | 0: they are not kept]
--   boards: [originMs, tickMs, unit, lastElapsed, the least score that is too high, expireAtMs | 0, and of a part of a
--     partitioned board the place of the sorted set that lists the parts, and its name there; of a tally, which counts
--     grants instead of points, false twice and true]
--   groups: [ledgerExpireAtMs | 0, day board's place | 0, places of the boards, members of its events, day, the members'
--     ledgers]: one a day and set of boards
--   limits: [place of the counts' generation, digest of the counts '' | those that are kept, a generation to start, counters,
--     lists of limits: [1: daily, max, counter], [2: sliding, max, windowMs, keepMs] or [3: own, type], the present ms]
--   runs: [group, events that follow one another in it, flat: member's place, field, value, points, ms]
--     A plain grant has the value `points;moment`, points with their version, as the ledger keeps it. Where it is limited, the
--     member's place is negative, and these follow: its list, and for each limit of it that needs one, in order: its window's
--     place | 0: it does not apply, or of an own limit [places of its keys, its arguments]. All else has for value
--     { op: grant | revoke | dayRevoke, moment, version?, days: [[group | 0, ledger, day]...] ascending (0: read only),
--     own: its own place in days, knownDays?: the member's days as far as they were known, from: the day from which days are judged anew, once: days in which it counts once,
--     revokes?: key, revokesExpireAtMs, revokesFromMs, limits?: [what follows a limited plain grant] }, or, of an adjustment
--     (include/adjustments.lua), { op: adjust, moment, applied: key, names of the group's boards, note }.
-- Returns three numbers and one a board of the event's group, event after event, flat:
--   outcome (0 not judged: the member has days that were not known, 1 granted, 2 revoked, 3 duplicate, 4 limited, 5 notGranted, 6 out of range, 7 closed: all boards of its day are frozen), change of points,
--   the number of the limit that refused or cut it | 0 | where it is refused and more is to say, as a string: that number, a
--   comma, and the first moment at which it would be allowed, or ! and the fault of an own limit | where other days than its
--   own changed, as a string: the groups of all that did, by commas | of an adjustment, as a string, what it changed on each board by
--   name; and the member's score on each of the group's boards after it, 0 where there is none, -1 where the board is frozen.
-- Where any board is frozen, the places of those that are follow, as a string, by commas.
-- Cost: one EXISTS and one GET a call, and where anybody of the shard is excluded one EXISTS and one ZMSCORE more; a plain grant of a new field is one HSETNX; each board costs one ZMSCORE, one ZADD and at most one PTTL a call;
--   each window one GET a call and one APPEND a grant, at times a SET, and all daily limits of a member's day one HGET and one HSET a call.
local call = redis.call
local floor = math.floor
local plan = cjson.decode(ARGV[1])
local boards, groups, runs = plan[1], plan[2], plan[3]

-- @include board-moves
-- @include excluded-members
-- @include frozen-boards
-- @include ledger-field
-- @include daily-counts
-- @include sliding-windows
-- @include limits

local daysExpireAtMs, version = plan[4], plan[5]
local limitLists, nowMs = plan[6][5], plan[6][6]
local firstDays = plan[7]
local unjudged, granted, revoked, duplicate, limited, notGranted, outOfRange, closed = 0, 1, 2, 3, 4, 5, 6, 7

-- What stands behind points granted now. Where none are, the version alone says that the grant stands.
local function versionOf(points, own)
  local mark = own or version
  return points == 0 and mark == '' and 'v1' or mark
end

-- Called where a ledger may be new: its expiry is a fixed moment, setting it again changes nothing.
local function keepLedger(group, place, member)
  if firstDays > 0 then call('ZADD', KEYS[#boards + firstDays], 'LT', group[5], member) end
  if group[1] > 0 then call('PEXPIREAT', KEYS[#boards + place], group[1]) end
  if daysExpireAtMs < 0 then return end
  local days = KEYS[#boards + place + 1]
  call('ZADD', days, group[5], group[5])
  if daysExpireAtMs > 0 then call('PEXPIREAT', days, daysExpireAtMs) end
end

-- @include adjustments

-- Whether every day in a member's list of days is among those that the plan was made with.
local function knowsAll(knownDays, list)
  local known = {}
  for _, day in ipairs(knownDays) do
    known[day] = true
  end
  for _, day in ipairs(call('ZRANGE', list, 0, -1)) do
    if not known[tonumber(day)] then return false end
  end
  return true
end

-- The general revokes of the identity, the latest of each day, whatever the order they came in: a late grant finds here
-- what else it would search all ledgers after its own for.
local function generalRevokes(extra, field)
  local list = {}
  local text = extra.revokes and call('HGET', KEYS[#boards + extra.revokes], field)
  for moment in string.gmatch(text or '', '[^,]+') do
    list[#list + 1] = moment
  end
  return list
end

-- Adds `moment` to the identity's general revokes in place of the one known of its day before.
local function rememberRevoke(extra, field, revokes, moment, before)
  local key = KEYS[#boards + extra.revokes]
  local kept = {}
  for _, revoke in ipairs(revokes) do
    if revoke ~= before and momentOf(revoke) >= extra.revokesFromMs then kept[#kept + 1] = revoke end
  end
  kept[#kept + 1] = moment
  call('HSET', key, field, table.concat(kept, ','))
  if extra.revokesExpireAtMs == 0 then return kept end
  call('PEXPIREAT', key, extra.revokesExpireAtMs)
  -- Every now and then what no ledger is left for is dropped, so that the hash stays as small as the ledgers it serves.
  local length = call('HLEN', key)
  if length >= 64 and length % 64 == 0 then
    local all = call('HGETALL', key)
    for i = 1, #all, 2 do
      if momentOf(string.match(all[i + 1], '[^,]+$')) < extra.revokesFromMs then call('HDEL', key, all[i]) end
    end
  end
  return kept
end

-- The earliest of the revokes known that a grant at `moment` does not outlast, or nil.
local function endOf(moment, record, revokes)
  local first
  local function consider(revoke)
    if revoke ~= '' and not later(moment, revoke) and (not first or later(first, revoke)) then first = revoke end
  end
  consider(record.revoked)
  consider(record.dayRevoked)
  for _, revoke in ipairs(revokes) do
    consider(revoke)
  end
  return first
end

-- Whether a day of the plan is judged anew: those before `from`, and those whose boards are all frozen, stay as they are.
local function isJudged(day, extra)
  return day[3] >= extra.from and #groups[day[1]][3] > 0
end

-- How many values of an event belong to each list, itself included, and whether a limit of the caller's own is on it.
for _, list in ipairs(limitLists) do
  list.width = 1
  for _, limit in ipairs(list) do
    if limit[1] ~= 1 then list.width = list.width + 1 end
    list.hasOwn = list.hasOwn or limit[1] == 3
  end
end

local function takeOwnPlaces(list, limits, at, grant)
  for i = 1, #list do
    if list[i][1] ~= 1 then at = at + 1 end
    if list[i][1] == 3 then
      local ran, fault = ask(list[i][2], 'take', limits[at], grant)
      if not ran then return i .. ',!' .. faultOf(fault) end
    end
  end
end

-- How many of the points its limits let a grant have, and where not all, the limit's number and what more is to say. The
-- limits are given as `limits[at]`, their list, and what comes after it.
local function allowed(limits, at, ledger, member, field, points, ms)
  local list, given, cutBy = limitLists[limits[at]], points, 0
  for i = 1, #list do
    local limit = list[i]
    if limit[1] == 1 then
      local left = limit[2] - countsOf(ledger)[limit[3]]
      if left <= 0 then return 0, i end
      if left < given and counters[limit[3]][1] == 2 then
        given, cutBy = left, i
      end
    elseif limit[1] == 2 then
      at = at + 1
      local free = limits[at] > 0 and fullUntil(KEYS[#boards + limits[at]], limit[2], limit[3], ms)
      if free then return 0, string.format('%d,%d', i, free) end
    else
      at = at + 1
      local grant = { member = member, field = field, points = points, ms = ms }
      local ran, answer = ask(limit[2], 'check', limits[at], grant)
      if not ran then return 0, i .. ',!' .. faultOf(answer) end
      if type(answer) == 'number' then return 0, string.format('%d,%d', i, answer) end
      if answer == false then return 0, i end
    end
  end
  return given, cutBy
end

-- Takes a grant's place in every limit that has places; says what stood against it where one could not: no window has
-- taken it then.
local function takePlaces(limits, at, member, field, points, ms)
  local list = limitLists[limits[at]]
  if list.hasOwn then
    local fault = takeOwnPlaces(list, limits, at, { member = member, field = field, points = points, ms = ms })
    if fault then return fault end
  end
  for i = 1, #list do
    local limit = list[i]
    if limit[1] ~= 1 then
      at = at + 1
      if limit[1] == 2 and limits[at] > 0 then takePlace(KEYS[#boards + limits[at]], limit[3], limit[4], ms, nowMs) end
    end
  end
end

-- Judges one transition in full. A field *stands* if its grant is later than every revoke that names it; it *counts*,
-- has points, if it stands and none within `once` days before it counts. What is refused writes nothing.
local function judge(member, field, points, ms, extra)
  local days, own, isGrant, moment = extra.days, extra.own, extra.op == 'grant', extra.moment
  if extra.knownDays and not knowsAll(extra.knownDays, KEYS[#boards + days[own][2] + 1]) then return unjudged, 0, 0 end
  local records = {}
  for d = 1, #days do
    records[d] = readField(KEYS[#boards + days[d][2]], field)
  end
  local mine = records[own]
  local slot = isGrant and 'granted' or extra.op == 'revoke' and 'revoked' or 'dayRevoked'
  if not later(moment, mine[slot]) then return duplicate, 0, 0 end

  local revokes = generalRevokes(extra, field)
  -- A revoke that comes to know an earlier end of what a later revoke ended gives no points back, but is when it ended.
  local endsEarlier = {}
  for d = 1, #days do
    local record = records[d]
    local named = extra.op == 'revoke' or extra.op == 'dayRevoke' and d == own
    local known = named and record.granted ~= '' and endOf(record.granted, record, revokes)
    endsEarlier[d] = known and isJudged(days[d], extra) and later(known, moment) and not later(record.granted, moment)
  end
  if extra.op == 'revoke' then revokes = rememberRevoke(extra, field, revokes, moment, mine.revoked) end
  mine[slot] = moment

  local changes, flips, lastCounting, ended = {}, {}, nil, false
  for d = 1, #days do
    local record, day = records[d], days[d][3]
    local counted = isCounting(record)
    local counts = counted
    if isJudged(days[d], extra) then
      local stands = record.granted ~= '' and not endOf(record.granted, record, revokes)
      counts = stands and not (lastCounting and day - lastCounting < extra.once)
    end
    if counts then lastCounting = day end
    if counts == counted then
      changes[d] = 0
    else
      flips[d] = true
      changes[d] = counts and points or -record.points
      ended = ended or not counts
    end
  end

  local group, cutBy = groups[days[own][1]], 0
  if isGrant and flips[own] then
    local limits, at = extra.limits, extra.limitsAt or 1
    if limits then
      changes[own], cutBy = allowed(limits, at, KEYS[#boards + days[own][2]], member, field, points, ms)
      if changes[own] == 0 then return limited, 0, cutBy end
    end
    if not fits(group, member, changes[own]) then return outOfRange, 0, 0 end
    local fault = limits and takePlaces(limits, at, member, field, changes[own], ms)
    if fault then return limited, 0, fault end
  end

  local total, touched, isElsewhere = 0, {}, false
  for d = 1, #days do
    local dayGroup = groups[days[d][1]]
    if d == own or flips[d] then
      local record = records[d]
      if changes[d] ~= 0 and countHeader then count(KEYS[#boards + days[d][2]], field, changes[d]) end
      if flips[d] then record.version = isCounting(record) and '' or versionOf(points, extra.version) end
      record.points = record.points + changes[d]
      writeField(KEYS[#boards + days[d][2]], field, record)
      keepLedger(dayGroup, days[d][2], member)
      total = total + changes[d]
    end
    if flips[d] then
      touched[#touched + 1] = days[d][1]
      isElsewhere = isElsewhere or d ~= own
    end
    local grants = flips[d] and (isCounting(records[d]) and 1 or -1) or 0
    if changes[d] ~= 0 or points > 0 and endsEarlier[d] then
      move(dayGroup, member, changes[d], ms, grants)
      if shortfalls then giveBack(KEYS[#boards + days[d][2]], moment) end
    elseif flips[d] then
      moveTallies(dayGroup, member, ms, grants)
    elseif d == own and not isGrant and points > 0 and (records[d].points > 0 or extra.once == 1 and later(records[d].granted, moment)) then
      -- It came between two grants of which the later was taken for a repetition: that one is when it was reached, also
      -- where it was ended since.
      move(dayGroup, member, 0, (momentOf(records[d].granted)))
    end
  end

  local elsewhere = isElsewhere and table.concat(touched, ',') or cutBy
  if not isGrant then return ended and revoked or notGranted, total, elsewhere end
  if flips[own] then return granted, total, elsewhere end
  local revoke = endOf(moment, mine, revokes)
  if not revoke then return duplicate, 0, 0 end
  if points == 0 then return notGranted, 0, 0 end
  -- Granted and ended before we heard of it: no points, but the time moves as if both had come in order.
  move(group, member, 0, ms)
  move(group, member, 0, (momentOf(revoke)))
  return notGranted, 0, 0
end

-- A plain grant of a field that is there: as a rule it stands, and all that changes is when it was granted last.
local function repeated(group, place, m, field, value, points, ms, limits, limitsAt)
  local ledger = KEYS[#boards + group[6][m]]
  local kept, at = string.match(call('HGET', ledger, field) or '', '^(%d+v?%d*);(%d+)$')
  local ownVersion, moment = string.match(value, '^%d+(v?%d*);(.*)$')
  if not at or kept == '0' or string.find(moment, '.', 1, true) then
    local extra = { op = 'grant', moment = moment, version = ownVersion, days = { { place, group[6][m], 0 } }, own = 1, from = 0, once = 1, limits = limits, limitsAt = limitsAt }
    return judge(group[4][m], field, points, ms, extra)
  end
  if ms > tonumber(at) then call('HSET', ledger, field, kept .. ';' .. moment) end
  return duplicate, 0, 0
end

-- A plain grant that is limited, or counted for other limits' sake.
local function limitedGrant(group, place, m, field, value, points, ms, limits, at)
  local member, ledger = group[4][m], KEYS[#boards + group[6][m]]
  local given, why = allowed(limits, at, ledger, member, field, points, ms)
  if given == 0 and call('HEXISTS', ledger, field) == 0 then return limited, 0, why end
  local kept = value
  if given > 0 and given < points then kept = string.format('%d', given) .. string.match(value, '^%d+(.*)$') end
  if given == 0 or not fits(group, member, given) or call('HSETNX', ledger, field, kept) == 0 then
    return repeated(group, place, m, field, value, points, ms, limits, at)
  end
  -- What has no places takes none: daily limits have their counts.
  local fault = limitLists[limits[at]].width > 1 and takePlaces(limits, at, member, field, given, ms)
  if fault then
    call('HDEL', ledger, field)
    return limited, 0, fault
  end
  if countHeader then count(ledger, field, given) end
  local onDay = scores[group[2]]
  if not (onDay and onDay[member]) then keepLedger(group, group[6][m], member) end
  move(group, member, given, ms, 1)
  return granted, given, why
end

counters = plan[6][4]
startCounting(KEYS[#boards + plan[6][1]], plan[6][2], plan[6][3])
loadScores()
local frozenPlaces = leaveFrozen()
local replies, r = {}, 0
for run = 1, #runs do
  local place, events = runs[run][1], runs[run][2]
  local group = groups[place]
  local onBoards, members, ledgers, onDay = group[7] or group[3], group[4], group[6], scores[group[2]]
  local isClosed = #group[3] == 0
  local i = 1
  while i <= #events do
    local m, field, value, points, ms = events[i], events[i + 1], events[i + 2], events[i + 3], events[i + 4]
    local limitsAt = i + 5
    i = limitsAt
    if m < 0 then
      m, i = -m, i + limitLists[events[i]].width
    else
      limitsAt = nil
    end
    local member = members[m]
    local outcome, change, limit
    if isClosed then
      outcome, change, limit = closed, 0, 0
    elseif type(value) == 'table' then
      if value.op == 'adjust' then
        outcome, change, limit = adjust(group, member, ledgers[m], field, points, ms, value)
      else
        outcome, change, limit = judge(member, field, points, ms, value)
      end
    elseif limitsAt then
      outcome, change, limit = limitedGrant(group, place, m, field, value, points, ms, events, limitsAt)
    elseif fits(group, member, points) and call('HSETNX', KEYS[#boards + ledgers[m]], field, value) == 1 then
      -- Who stands on the day's board has a ledger of that day, with its expiry.
      if not (onDay and onDay[member]) then keepLedger(group, ledgers[m], member) end
      if points > 0 then move(group, member, points, ms, 1) else moveTallies(group, member, ms, 1) end
      outcome, change, limit = granted, points, 0
    else
      outcome, change, limit = repeated(group, place, m, field, value, points, ms)
    end
    replies[r + 1], replies[r + 2], replies[r + 3] = outcome, change, limit
    r = r + 3
    for b = 1, #onBoards do
      r = r + 1
      replies[r] = scoreOn(onBoards[b], member) or 0
    end
  end
end
writeScores()
writeCounts()
if frozenPlaces then replies[r + 1] = frozenPlaces end
return replies
