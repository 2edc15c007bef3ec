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
  local text = extra.revokes and call('HGET', KEYS[others + extra.revokes], field)
  for moment in string.gmatch(text or '', '[^,]+') do
    list[#list + 1] = moment
  end
  return list
end

-- Adds `moment` to the identity's general revokes in place of the one known of its day before.
local function rememberRevoke(extra, field, revokes, moment, before)
  local key = KEYS[others + extra.revokes]
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

-- Judges one transition in full. A field *stands* if its grant is later than every revoke that names it; it *counts*,
-- has points, if it stands and none within `once` days before it counts. What is refused writes nothing.
local function judge(m, field, points, ms, extra)
  local days, own, isGrant, moment = extra.days, extra.own, extra.op == 'grant', extra.moment
  if extra.knownDays and not knowsAll(extra.knownDays, KEYS[others + days[own][2] + 1]) then return unjudged, 0, 0 end
  local records = {}
  for d = 1, #days do
    records[d] = readField(KEYS[others + days[d][2]], field)
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
    local given, at = extra.limits, extra.limitsAt or 1
    if given then
      changes[own], cutBy = limits.allowed(given, at, KEYS[others + days[own][2]], m, field, points, ms)
      if changes[own] == 0 then return limited, 0, cutBy end
    end
    if not fits(group, m, changes[own]) then return outOfRange, 0, 0 end
    local fault = given and limits.takePlaces(given, at, m, field, changes[own], ms)
    if fault then return limited, 0, fault end
  end

  local total, touched, isElsewhere = 0, {}, false
  for d = 1, #days do
    local dayGroup = groups[days[d][1]]
    if d == own or flips[d] then
      local record = records[d]
      if changes[d] ~= 0 and limits then limits.count(KEYS[others + days[d][2]], field, changes[d]) end
      if flips[d] then record.version = isCounting(record) and '' or versionOf(points, extra.version) end
      record.points = record.points + changes[d]
      writeField(KEYS[others + days[d][2]], field, record)
      keepLedger(dayGroup, days[d][2], m)
      total = total + changes[d]
    end
    if flips[d] then
      touched[#touched + 1] = days[d][1]
      isElsewhere = isElsewhere or d ~= own
    end
    local grants = flips[d] and (isCounting(records[d]) and 1 or -1) or 0
    if changes[d] ~= 0 or points > 0 and endsEarlier[d] then
      move(dayGroup, m, changes[d], ms, grants)
      if shortfalls then giveBack(KEYS[others + days[d][2]], moment) end
    elseif flips[d] then
      moveTallies(dayGroup, m, ms, grants)
    elseif d == own and not isGrant and points > 0 and (records[d].points > 0 or extra.once == 1 and later(records[d].granted, moment)) then
      -- It came between two grants of which the later was taken for a repetition: that one is when it was reached, also
      -- where it was ended since.
      move(dayGroup, m, 0, (momentOf(records[d].granted)))
    end
  end

  local elsewhere = isElsewhere and table.concat(touched, ',') or cutBy
  if not isGrant then return ended and revoked or notGranted, total, elsewhere end
  if flips[own] then return granted, total, elsewhere end
  local revoke = endOf(moment, mine, revokes)
  if not revoke then return duplicate, 0, 0 end
  if points == 0 then return notGranted, 0, 0 end
  -- Granted and ended before we heard of it: no points, but the time moves as if both had come in order.
  move(group, m, 0, ms)
  move(group, m, 0, (momentOf(revoke)))
  return notGranted, 0, 0
end
