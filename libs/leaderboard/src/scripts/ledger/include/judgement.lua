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

-- How many general revokes a list has before those of fields that may lie in pages go to pages; the field without a
-- name says that there are pages.
local listedRevokes, revokesMark = 127, '9007199254740991'

-- In which of KEYS the general revokes of a field that may lie in a page are, or are to be; nil: in a page, of which
-- the caller knows none. Lists get smaller when what no ledger is left for is dropped, so all pages on the way are
-- asked.
local function revokesHashFor(extra, field)
  local position, pages = extra.revokes, extra.revokesPages
  local list = KEYS[others + position]
  local texts = call('HMGET', list, field, '')
  if texts[1] then return others + position end
  if not texts[2] then
    if extra.op ~= 'revoke' or call('HLEN', list) < listedRevokes then return others + position end
    if pages == 0 then return nil end
    call('HSET', list, '', revokesMark)
  end
  if pages == 0 then return nil end
  local found
  for place = others + pages, others + pages + pageLevels - 1 do
    if call('HEXISTS', KEYS[place], field) == 1 then found = place end
  end
  if found then
    pagesOf[position] = pagesOf[position] or {}
    pagesOf[position][field] = found
  end
  return found or (pageFor(position, field, pages))
end

-- The general revokes of the identity, the latest of each day, whatever the order they came in: a late grant finds here
-- what else it would search all ledgers after its own for.
local function generalRevokes(field, hash)
  local list = {}
  for moment in string.gmatch(hash and call('HGET', KEYS[hash], field) or '', '[^,]+') do
    if not string.find(moment, '^%d+%.?%d*$') then error('The revokes of "' .. field .. '" cannot be read.') end
    list[#list + 1] = moment
  end
  return list
end

-- The field's general revokes with `moment` as its day's, without those whose ledgers are gone.
local function withRevoke(extra, revokes, moment, before)
  local kept = {}
  for _, revoke in ipairs(revokes) do
    if revoke ~= before and revoke ~= moment and momentOf(revoke) >= extra.revokesFromMs then kept[#kept + 1] = revoke end
  end
  kept[#kept + 1] = moment
  return kept
end

-- Whether all of these moments, as they are kept, lie before a time. What cannot be read does not.
local function areBefore(text, ms)
  for moment in string.gmatch(text, '[^,]+') do
    local at = momentOf(moment)
    if not at or at >= ms then return false end
  end
  return true
end

-- Keeps an identity's general revokes.
local function rememberRevokes(extra, field, revokes, hash)
  local key = KEYS[hash]
  call('HSET', key, field, table.concat(revokes, ','))
  if extra.revokesExpireAtMs == 0 then return end
  call('PEXPIREAT', key, extra.revokesExpireAtMs)
  if hash ~= others + extra.revokes then call('PEXPIREAT', KEYS[others + extra.revokes], extra.revokesExpireAtMs) end
  -- Every now and then what no ledger is left for is dropped, so that the hash stays as small as the ledgers it serves.
  local length = call('HLEN', key)
  if length >= 64 and length % 64 == 0 then
    local all = call('HGETALL', key)
    for i = 1, #all, 2 do
      if areBefore(all[i + 1], extra.revokesFromMs) then call('HDEL', key, all[i]) end
    end
  end
end

-- The number of the limit that refused the latest grant of a field, where that one was made at `moment`; nil where none
-- did: see include/refused-grants.lua.
local function refuserOf(dayRevoked, moment)
  local ms, zeros, sequence = string.match(dayRevoked, '^(%d+)%.(0+)(%d*)$')
  return ms and (sequence == '' and ms or ms .. '.' .. sequence) == moment and #zeros or nil
end

-- Whether a grant at `moment` is ended by a revoke that is known.
local function isEnded(moment, record, revokes)
  if not (later(moment, record.revoked) and later(moment, record.dayRevoked)) then return true end
  for _, revoke in ipairs(revokes) do
    if not later(moment, revoke) then return true end
  end
  return false
end

-- Whether a day of the plan is judged anew: days before `from`, and days whose boards are all frozen, stay as they are.
local function isJudged(day, extra)
  return day[DAY.day] >= extra.from and #groups[day[DAY.group]][GROUP.boards] > 0
end

-- Whether a transition carries all that its limits need to judge another of its days: a custom limit was prepared for
-- the transition's day alone, and a limit per pair needs the pair.
local function knowsOtherDays(given, at)
  local list = limits.lists[given[at]]
  for i = 1, #list do
    local kind = list[i][DAILY.kind]
    if kind ~= KIND.daily then at = at + 1 end
    if kind == KIND.custom or kind == KIND.period or kind == KIND.sliding and given[at] == 0 then return false end
  end
  return true
end

-- Decides whether a field may begin to count at `ms`, by the limits of its day and the range of its boards. Returns the
-- points that it gets and the limit that reduced them; or false, the outcome and the reason.
local function admit(day, m, field, points, ms, extra, isOwn)
  local given, at, allowed, cutBy = extra.limits, extra.limitsAt or 1, points, 0
  if given then
    if not isOwn and not knowsOtherDays(given, at) then return false, OUTCOME.limited, 0 end
    allowed, cutBy = limits.allowed(given, at, KEYS[others + day[DAY.ledger]], m, field, points, ms)
    if not allowed then return false, OUTCOME.limited, cutBy end
  end
  if not fits(groups[day[DAY.group]], m, allowed) then return false, OUTCOME.outOfRange, 0 end
  local fault = given and limits.takePlaces(given, at, m, field, allowed, ms)
  if fault then return false, OUTCOME.limited, fault end
  return allowed, OUTCOME.granted, cutBy
end

-- Of `taken` points, those that are not there, where a change leads to so many below zero: all of these, where
-- nothing but an adjustment takes points; else no more than adjustments took on the board. A grant below zero finds
-- what it takes.
missingOf = function(b, m, below, taken, grants)
  if grants and grants > 0 then return 0 end
  if boards[b][BOARD.isTally] or not isLowered(b, m) then return below end
  standing = standing or cjson.decode(plan[PLAN.standing])
  local name, first, last = standing[b][STANDING.name], standing[b][STANDING.firstDay], standing[b][STANDING.lastDay]
  local all, adjusted = call('HGETALL', appliedTo(b, m)), 0
  for i = 2, #all, 2 do
    local day, changes = string.match(all[i], '^(%d+);(.*)$')
    for where, change in string.gmatch(changes or '', '([^=,]+)=%-(%d+)') do
      local isIn = tonumber(day) >= first and tonumber(day) <= last
      if where == name and isIn then adjusted = adjusted + change end
    end
  end
  return math.min(below, taken, adjusted)
end

-- Writes what was decided of a transition's days, `decided`: of each the day, the field's name, in
-- which of KEYS it lies, and whether that is a page which is not there yet, its record, since when it counted
-- and counts, in ms, the change of its points, and 1 where it comes to count, -1 where it ceases to, else 0; `left` as
-- timesLeft has it; `lowersIn`: position of the member's adjustments, if points may be below zero.
local function carryOut(m, days, decided, left, own, moment, lowersIn)
  for page, latest in pairs(rightMoments) do
    call('HSET', page, '@', string.format('%d', latest))
  end
  rightMoments = {}
  for d = 1, #days do
    local one, ledger, group = decided[d], days[d][DAY.ledger], groups[days[d][DAY.group]]
    local record = one.record
    if one.flip ~= 0 or d == own or one.isMarked then
      record.points = record.points + one.change
      if record.points < 0 and one.flip > 0 then lower(m, lowersIn) end
      writeField(KEYS[one.hash], one.name, record, days[d][DAY.day])
      if one.hash ~= others + ledger then
        addTotal(days[d][DAY.pages], one.hash, one.name, one.flip < 0 and one.version or record.version, one.flip, one.change, one.is or 0)
        if one.isNewPage then keepPage(one.hash, group[GROUP.ledgerExpireAtMs]) end
      end
    end
    if one.change ~= 0 then
      move(group, m, one.change, one.is, one.flip)
      if shortfalls then giveBack(KEYS[others + ledger], moment) end
    elseif one.flip ~= 0 or one.is ~= one.was then
      if record.points ~= 0 then move(group, m, 0, one.is, 0) else moveTallies(group, m, one.is, one.flip) end
    end
  end
  for b, tick in pairs(left) do
    setTime(b, m, tick)
  end
  for d = 1, #days do
    if decided[d].flip ~= 0 or d == own then keepLedger(groups[days[d][DAY.group]], days[d][DAY.ledger], m) end
  end
end

-- Whether a revoke of the field's own day ends it.
local function isEndedToday(record)
  return not (later(record.granted, record.revoked) and later(record.granted, record.dayRevoked))
end

-- Whether caps need judge nothing anew for a transition of a field: it comes after all that they have judged, and lets
-- the field begin at no other moment.
local function isAfterAll(record, counted, isGrant, moment, day, numbers)
  if limits.sinceDay(day, (momentOf(moment))) <= numbers[limits.latestAt] then return false end
  if record.granted == '' then return not isGrant or record.revoked == '' and record.dayRevoked == '' end
  if record.mark and record.mark.verdict == standsAgain then return false end
  -- What had ended held its place until its latest revoke.
  if not isGrant then return (record.first == '' or record.first == record.granted) and not isEndedToday(record) end
  local first = record.first == '' and record.granted or record.first
  return counted and later(first, record.revoked) and later(first, record.dayRevoked)
end

-- Keeps with a field what it asked for, where its points do not tell it any more; `version`: of a grant.
local function keepAsked(one, stands, version, points)
  local record = one.record
  if stands then
    if version and not one.was and not (isRefusedBy(record.mark) or record.mark and record.mark.verdict == standsAgain) then
      record.mark = { verdict = 0, version = version, asked = points }
    end
    return
  end
  if record.granted == '' then return end
  local mark = record.mark
  if not mark and one.was then mark = { version = one.version, asked = record.points } end
  if not mark and version then mark = { version = version, asked = points } end
  if not mark then return end
  record.mark = { verdict = isEndedToday(record) and 0 or endedLater, version = mark.version, asked = mark.asked }
end

-- Lets the caps of its day judge a field, which is as it is to be, with all others of the day: the others that change,
-- or nil and the outcome, where the call lacks what they need.
local function capOwn(m, one, extra, stands)
  local record, ledger = one.record, KEYS[one.hash]
  local fields = capDay(ledger, one.day, one.name, record)
  local rest, sum = changedByCaps(fields, one.name, one.hash, one.day), 0
  if #rest > 0 and not extra.whole then return nil, OUTCOME.unjudged end
  for _, other in ipairs(rest) do
    sum = sum + math.max(other.change, 0)
  end
  if #rest > 0 and not fits(groups[extra.whole], m, sum) then return nil, OUTCOME.outOfRange end
  local field = fields[one.name]
  if field and stands then
    one.change = takeVerdict(field, record.mark and record.mark.version or record.version)
    one.flip = (field.given and 1 or 0) - (one.was and 1 or 0)
    one.is = field.given and standsSince(record.granted, record.revoked, record.dayRevoked, field.isRetried and '' or record.first)
    one.cutBy, one.refusedBy = field.given and field.cutBy, field.refusedBy
  end
  return rest
end

-- Counts a field anew: what it had goes, what it has comes.
local function recount(one)
  local had = one.record.points
  if one.was then limits.count(KEYS[one.hash], one.name, -had, -1) end
  if one.is then limits.count(KEYS[one.hash], one.name, had + one.change, 1) end
end

-- Carries out what the caps give the other fields of the day; returns the change of points.
local function carryOutOthers(m, rest, day, extra, moment)
  local total = 0
  for _, one in ipairs(rest) do
    local group = groupOfField(extra.whole, one.name)
    local named = { { [DAY.group] = group, [DAY.ledger] = day[DAY.ledger], [DAY.day] = day[DAY.day] } }
    lookUp(groups[group], m)
    recount(one)
    carryOut(m, named, { one }, timesLeft(m, named, { one }), 1, moment, extra.applied)
    total = total + one.change
  end
  return total
end

-- Later than all of a day: whatever comes is judged with all of it, as the numbers do not tell what holds places.
local afterAll = 400000000

-- What the caps of another day know of a field that begins or ceases to count there: a revoke ends it with that day,
-- and of all else they know nothing.
local function endedElsewhere(one, ledger, isGrant)
  if not limits.cappedNumbers(ledger, one.name, one.day) then return end
  if one.flip > 0 or isGrant then return limits.noteLatest(ledger, -1) end
  local record = one.record
  local mark = record.mark or { version = one.version, asked = record.points }
  record.mark = { verdict = endedLater, version = mark.version, asked = mark.asked }
  limits.noteLatest(ledger, afterAll)
end

-- The number of the limit that refuses a field by a cap.
local function limitOfMark(mark, extra)
  return limits and limits.limitOfCounter(extra.limits and extra.limits[extra.limitsAt or 1], mark.verdict) or 0
end

-- Judges one transition in full. A field *stands* if its grant is later than every revoke that names it. A field
-- *counts* (has points) if it stands, nothing counts within the previous `once` days, and its limits allowed it when it
-- began to count: at its grant, or when the field that kept it from counting ended. A refused field does not count
-- before its next grant. Of a refused grant only that is kept. Everything is read and decided before anything is
-- written, so an error leaves nothing half done.
local function judge(m, field, points, ms, extra)
  local days, own, isGrant, moment = extra.days, extra.own, extra.op == 'grant', extra.moment
  if extra.knownDays and not knowsAll(extra.knownDays, KEYS[others + days[own][DAY.ledger] + 1]) then return OUTCOME.unjudged, 0, 0 end
  local isKnown, closedDay, otherDays = otherRememberedDays(extra, field)
  if not isKnown then return OUTCOME.unjudged, 0, 0 end
  local decided, crowded = {}, {}
  for d = 1, #days do
    local day, ledger, pages = days[d][DAY.day], days[d][DAY.ledger], days[d][DAY.pages]
    local one = { day = day, name = field, hash = others + ledger, change = 0, flip = 0 }
    if pages then one.hash, one.isNewPage = hashFor(ledger, field, pages) end
    if not one.hash then crowded[#crowded + 1] = string.format('%d', ledger) end
    decided[d] = one
  end
  local revokesHash = extra.revokes and others + extra.revokes
  if extra.revokesPages then revokesHash = revokesHashFor(extra, field) end
  if extra.revokes and not revokesHash then crowded[#crowded + 1] = string.format('%d', extra.revokes) end
  if #crowded > 0 then return OUTCOME.crowded, 0, table.concat(crowded, ',') end
  for _, one in ipairs(decided) do
    one.record = readField(KEYS[one.hash], one.name, one.day)
    one.version, one.was = one.record.version, countsSince(one.record)
    one.is = one.was
  end
  local mine = decided[own].record
  -- Only what may take a time back needs one that lies further back.
  local mayGoBack = plan[PLAN.cold] ~= 0 and (not isGrant or #days > 1 or mine.granted ~= '' and not later(moment, mine.granted))
  if mayGoBack and not knowsTimes(m, days, decided) then return OUTCOME.unjudged, 0, 0 end
  local slot = isGrant and 'granted' or extra.op == 'revoke' and 'revoked' or 'dayRevoked'
  -- An id's revoke ends its grant, whichever was dated later.
  if extra.isOfId and later(mine.granted, moment) then moment = mine.granted end
  local refusedBy = isGrant and refuserOf(mine.dayRevoked, moment)
  if refusedBy then return OUTCOME.limited, 0, refusedBy end
  local ownLedger = KEYS[others + days[own][DAY.ledger]]
  local numbers = limits and decided[own].hash == others + days[own][DAY.ledger] and limits.cappedNumbers(ownLedger, decided[own].name, days[own][DAY.day])
  if not later(moment, mine[slot]) then
    local first = mine.first == '' and mine.granted or mine.first
    local isEarlier = isGrant and later(first, moment)
    if isEarlier then
      -- A repetition of a grant that is heard of only now.
      mine.first = moment
      decided[own].is = countsSince(mine)
    end
    local rest, outcome, change = {}, nil, 0
    if isEarlier and numbers and (mine.mark or decided[own].was) then
      local stands = not isEndedToday(mine) and not (mine.mark and mine.mark.verdict == endedLater)
      rest, outcome = capOwn(m, decided[own], extra, stands)
      if not rest then return outcome, 0, 0 end
      recount(decided[own])
      change = decided[own].change
    end
    if isEarlier then
      lookUp(groups[days[own][DAY.group]], m)
      local named, one = { days[own] }, { decided[own] }
      carryOut(m, named, one, timesLeft(m, named, one), 1, moment)
      change = change + carryOutOthers(m, rest, days[own], extra, moment)
    end
    if isGrant and isRefusedBy(mine.mark) then return OUTCOME.limited, change, limitOfMark(mine.mark, extra) end
    return OUTCOME.duplicate, change, 0
  end

  local isInOrder = numbers and isAfterAll(mine, decided[own].was, isGrant, moment, days[own][DAY.day], numbers)
  local revokes = generalRevokes(field, revokesHash)
  if extra.op == 'revoke' then revokes = withRevoke(extra, revokes, moment, mine.revoked) end
  if isGrant and mine.first == '' then mine.first = mine.granted end
  mine[slot] = moment

  local cutBy, isGranted, ended = 0, false, false
  local total, touched, isElsewhere = 0, {}, false
  -- The latest days before that count, and that counted until now. Of a grant, its own day is the first that is judged.
  local lastCounting, lastCounted, isLastOld, isOwnFree = closedDay, nil, true, true
  if extra.limits then limits.tryPlaces(true) end
  for d = 1, #days do
    local one, day, ledger = decided[d], days[d][DAY.day], days[d][DAY.ledger]
    local record = one.record
    local counted, isOwnGrant = one.was ~= false, isGrant and d == own
    local counts = counted
    if isJudged(days[d], extra) then
      -- Days that counted beside each other, by another rule, go on to.
      local isFree = counted and isLastOld or not (lastCounting and day - lastCounting < extra.once)
      counts = isFree and record.granted ~= '' and not isEnded(record.granted, record, revokes)
      if d == own then isOwnFree = isFree end
      if counts and not counted then
        local allowed, outcome, why = false, nil, nil
        if isOwnGrant or lastCounted and day - lastCounted < extra.once then
          local leavesCaps = isOwnGrant and numbers and not isInOrder
          if leavesCaps then limits.leaveCaps(true) end
          allowed, outcome, why = admit(days[d], m, field, points, (momentOf(record.granted)), extra, isOwnGrant)
          if leavesCaps then limits.leaveCaps(false) end
        end
        if isOwnGrant then
          if not allowed then
            if extra.limits then limits.tryPlaces(false) end
            local ended = outcome == OUTCOME.limited and limits.refusedEnd(KEYS[one.hash], moment, why)
            local counter = ended and numbers and limits.capThatRefused(extra.limits[extra.limitsAt or 1], why)
            if outcome == OUTCOME.limited and numbers then limits.noteLatest(ownLedger, ended and limits.sinceDay(day, ms) or -1) end
            if counter then
              mine.mark = { verdict = counter, version = versionOf(points, extra.version), asked = points }
            elseif ended then
              mine.dayRevoked, mine.first, mine.mark = ended, '', nil
            end
            if ended then
              writeField(KEYS[one.hash], one.name, mine, day)
              if one.isNewPage then keepPage(one.hash, groups[days[d][DAY.group]][GROUP.ledgerExpireAtMs]) end
              keepLedger(groups[days[d][DAY.group]], ledger, m)
            end
            return outcome, 0, why
          end
          cutBy = why
        end
        counts, one.change = allowed ~= false, allowed or 0
      elseif counted and not counts then
        one.change, ended = -record.points, true
      end
    end
    if counts then lastCounting, isLastOld = day, counted end
    if counted then lastCounted = day end
    total = total + one.change
    if counts ~= counted then
      one.flip = counts and 1 or -1
      if limits and not (d == own and numbers and not isInOrder) then limits.count(KEYS[others + ledger], field, one.change, one.flip) end
      if limits and d ~= own then endedElsewhere(one, KEYS[others + ledger], isGrant) end
      record.version = counts and versionOf(points, extra.version) or ''
      one.is = counts and standsSince(record.granted, record.revoked, record.dayRevoked, record.first)
      touched[#touched + 1] = days[d][DAY.group]
      if d == own then isGranted = isGrant else isElsewhere = true end
    elseif counts and d == own then
      one.is = countsSince(record)
    end
    if one.flip ~= 0 or d == own then lookUp(groups[days[d][DAY.group]], m) end
  end
  for d = 1, extra.op == 'revoke' and own - 1 or 0 do
    local one = decided[d]
    if isRefusedBy(one.record.mark) and isEnded(one.record.granted, one.record, revokes) then
      one.record.mark.verdict, one.isMarked = endedLater, true
      if limits then limits.noteLatest(KEYS[others + days[d][DAY.ledger]], afterAll) end
    end
  end
  local rest, refusal, one = {}, nil, decided[own]
  if numbers then
    local stands = isOwnFree and mine.granted ~= '' and not isEnded(mine.granted, mine, revokes)
    keepAsked(one, stands, isGrant and versionOf(points, extra.version), points)
    if isInOrder then
      if stands and isGranted and one.change == points then mine.mark = nil end
    else
      rest, refusal = capOwn(m, one, extra, stands)
      if not rest then
        for d = 1, #days do
          if d ~= own and decided[d].flip ~= 0 then limits.count(KEYS[others + days[d][DAY.ledger]], field, -decided[d].change, -decided[d].flip) end
        end
        if extra.limits then
          limits.giveBackPlaces()
          limits.tryPlaces(false)
        end
        return refusal, 0, 0
      end
      if one.refusedBy and extra.limits then limits.giveBackPlaces() end
      recount(one)
      ended = ended or not isGrant and one.flip < 0
      isGranted, cutBy, total = isGrant and one.flip > 0, 0, 0
      for d = 1, #days do
        total = total + decided[d].change
      end
      if one.cutBy then cutBy = limits.limitOfCounter(extra.limits and extra.limits[extra.limitsAt or 1], one.cutBy) end
    end
    -- What a revoke of a later day has ended before it came may hold a place that the numbers do not count.
    local holds = not stands and mine.mark and mine.mark.verdict == endedLater
    limits.noteLatest(ownLedger, holds and afterAll or limits.sinceDay(days[own][DAY.day], (momentOf(moment))))
  end
  local isOver = isGrant and not isGranted and isEnded(moment, mine, revokes)
  local left = timesLeft(m, days, decided)
  if extra.limits then limits.tryPlaces(false) end

  if extra.op == 'revoke' then rememberRevokes(extra, field, revokes, revokesHash) end
  if extra.remembered then
    rememberDays(extra, field, decided, otherDays, function(record)
      return record.granted ~= '' and not isEnded(record.granted, record, revokes)
    end)
  end
  carryOut(m, days, decided, left, own, moment, extra.applied)
  total = total + carryOutOthers(m, rest, days[own], extra, moment)
  if isGrant and isRefusedBy(mine.mark) then return OUTCOME.limited, total, limitOfMark(mine.mark, extra) end
  if isGrant and not isGranted then return isOver and OUTCOME.notGranted or OUTCOME.duplicate, 0, 0 end
  return isGranted and OUTCOME.granted or ended and OUTCOME.revoked or OUTCOME.notGranted, total, isElsewhere and table.concat(touched, ',') or cutBy
end
