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
-- what else it would search all ledgers after its own for. Each lies under the name that the field has on the revoke's
-- day.
local function generalRevokes(extra, field, hash)
  local list, known = {}, {}
  local texts = hash and call('HMGET', KEYS[hash], field, extra.short or field) or {}
  for n = 1, #texts do
    for moment in string.gmatch(texts[n] or '', '[^,]+') do
      if not string.find(moment, '^%d+%.?%d*$') then error('The revokes of "' .. field .. '" cannot be read.') end
      if not known[moment] then list[#list + 1] = moment end
      known[moment] = true
    end
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

-- Judges one transition in full. A field *stands* if its grant is later than every revoke that names it. A field
-- *counts* (has points) if it stands, nothing counts within the previous `once` days, and its limits allowed it when it
-- began to count: at its grant, or when the field that kept it from counting ended. A refused field does not count
-- before its next grant. A refused grant writes nothing. Everything is read and decided before anything is written, so
-- an error leaves nothing half done.
local function judge(m, field, points, ms, extra)
  local days, own, isGrant, moment = extra.days, extra.own, extra.op == 'grant', extra.moment
  if extra.knownDays and not knowsAll(extra.knownDays, KEYS[others + days[own][DAY.ledger] + 1]) then return OUTCOME.unjudged, 0, 0 end
  local isKnown, closedDay, otherDays = otherRememberedDays(extra, field)
  if not isKnown then return OUTCOME.unjudged, 0, 0 end
  -- Of each day its field, in which of KEYS that lies, and what it holds.
  local named, hashes, newPages, crowded, records = {}, {}, {}, {}, {}
  for d = 1, #days do
    local day, ledger, pages = days[d][DAY.day], days[d][DAY.ledger], days[d][DAY.pages]
    named[d], hashes[d] = day >= plan[PLAN.shortFrom] and extra.short or field, others + ledger
    if pages then hashes[d], newPages[d] = hashFor(ledger, field, pages) end
    if not hashes[d] then crowded[#crowded + 1] = string.format('%d', ledger) end
  end
  local revokesHash = extra.revokes and others + extra.revokes
  if extra.revokesPages then revokesHash = revokesHashFor(extra, field) end
  if extra.revokes and not revokesHash then crowded[#crowded + 1] = string.format('%d', extra.revokes) end
  if #crowded > 0 then return OUTCOME.crowded, 0, table.concat(crowded, ',') end
  for d = 1, #days do
    records[d] = readField(KEYS[hashes[d]], named[d], days[d][DAY.day])
  end
  local mine = records[own]
  local slot = isGrant and 'granted' or extra.op == 'revoke' and 'revoked' or 'dayRevoked'
  -- An id's revoke ends its grant, whichever was dated later.
  if extra.isOfId and later(mine.granted, moment) then moment = mine.granted end
  if not later(moment, mine[slot]) then return OUTCOME.duplicate, 0, 0 end

  local revokes = generalRevokes(extra, field, revokesHash)
  -- A revoke that comes to know an earlier end of what a later revoke ended gives no points back, but is when it ended.
  local endsEarlier = {}
  for d = 1, #days do
    local record = records[d]
    local named = extra.op == 'revoke' or extra.op == 'dayRevoke' and d == own
    local known = named and record.granted ~= '' and endOf(record.granted, record, revokes)
    endsEarlier[d] = known and isJudged(days[d], extra) and later(known, moment) and not later(record.granted, moment)
  end
  if extra.op == 'revoke' then revokes = withRevoke(extra, revokes, moment, mine.revoked) end
  mine[slot] = moment

  local cutBy, isGranted, ended = 0, false, false
  local total, touched, isElsewhere = 0, {}, false
  -- By day, the change of its points, and 1 where it comes to count, -1 where it ceases to, else 0.
  local changes, flips, counting = {}, {}, {}
  -- The latest days before that count, and that counted until now. Of a grant, its own day is the first that is judged.
  local lastCounting, lastCounted = closedDay, nil
  if extra.limits then limits.tryPlaces(true) end
  for d = 1, #days do
    local record, day, ledger, dayGroup = records[d], days[d][DAY.day], days[d][DAY.ledger], groups[days[d][DAY.group]]
    local counted, isOwnGrant = isCounting(record), isGrant and d == own
    local counts, change = counted, 0
    if isJudged(days[d], extra) then
      local isFree = not (lastCounting and day - lastCounting < extra.once)
      counts = isFree and record.granted ~= '' and not endOf(record.granted, record, revokes)
      if counts and not counted then
        local allowed, outcome, why = false, nil, nil
        if isOwnGrant or lastCounted and day - lastCounted < extra.once then
          allowed, outcome, why = admit(days[d], m, field, points, (momentOf(record.granted)), extra, isOwnGrant)
        end
        if isOwnGrant then
          if not allowed then return outcome, 0, why end
          cutBy = why
        end
        counts, change = allowed ~= false, allowed or 0
      elseif counted and not counts then
        change, ended = -record.points, true
      end
    end
    if counts then lastCounting = day end
    if counted then lastCounted = day end
    local isFlipped = counts ~= counted
    changes[d], counting[d], flips[d] = change, counts, isFlipped and (counted and -1 or 1) or 0
    total = total + change
    if isFlipped and limits then limits.count(KEYS[others + ledger], field, change, flips[d]) end
    if isFlipped then
      touched[#touched + 1] = days[d][DAY.group]
      if d == own then isGranted = isGrant else isElsewhere = true end
    end
    if isFlipped or d == own or endsEarlier[d] then lookUp(dayGroup, m) end
  end

  local revoke = isGrant and not isGranted and endOf(moment, mine, revokes)
  if extra.limits then limits.tryPlaces(false) end

  if extra.op == 'revoke' then rememberRevokes(extra, named[own], revokes, revokesHash) end
  if extra.remembered then
    rememberDays(extra, field, records, counting, otherDays, function(record)
      return record.granted ~= '' and not endOf(record.granted, record, revokes)
    end)
  end
  for d = 1, #days do
    local record, ledger, dayGroup, change, flip = records[d], days[d][DAY.ledger], groups[days[d][DAY.group]], changes[d], flips[d]
    if flip ~= 0 or d == own then
      local version = record.version
      if flip ~= 0 then record.version = flip < 0 and '' or versionOf(points, extra.version) end
      record.points = record.points + change
      writeField(KEYS[hashes[d]], named[d], record, days[d][DAY.day])
      if hashes[d] ~= others + ledger then
        addTotal(days[d][DAY.pages], hashes[d], field, flip < 0 and version or record.version, flip, change, d == own and ms or 0, extra.op == 'dayRevoke' and '>' or '@')
        if newPages[d] then keepPage(hashes[d], dayGroup[GROUP.ledgerExpireAtMs]) end
      end
    end
    if change ~= 0 or points > 0 and endsEarlier[d] then
      move(dayGroup, m, change, ms, flip)
      if shortfalls then giveBack(KEYS[others + ledger], moment) end
    elseif flip ~= 0 then
      moveTallies(dayGroup, m, ms, flip)
    elseif d == own and not isGrant and points > 0 and (record.points > 0 or extra.once == 1 and later(record.granted, moment)) then
      -- It came between two grants of which the later was taken for a repetition: that one is when it was reached, also
      -- where it was ended since.
      move(dayGroup, m, 0, (momentOf(record.granted)))
    end
  end

  -- Granted and ended before we heard of it: no points, but the time moves as if both had come in order.
  if revoke and points > 0 then
    local group = groups[days[own][DAY.group]]
    move(group, m, 0, ms)
    move(group, m, 0, (momentOf(revoke)))
  end
  for d = 1, #days do
    if flips[d] ~= 0 or d == own then keepLedger(groups[days[d][DAY.group]], days[d][DAY.ledger], m) end
  end

  if isGrant and not isGranted then return revoke and OUTCOME.notGranted or OUTCOME.duplicate, 0, 0 end
  return isGranted and OUTCOME.granted or ended and OUTCOME.revoked or OUTCOME.notGranted, total, isElsewhere and table.concat(touched, ',') or cutBy
end
