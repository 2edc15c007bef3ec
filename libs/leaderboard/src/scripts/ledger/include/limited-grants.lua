-- For each list, how many values of an event belong to it, itself included, and whether a limit of the caller's own is on it.
local widths, hasOwn = {}, {}
for n = 1, #limitLists do
  widths[n] = 1
  for _, limit in ipairs(limitLists[n]) do
    if limit[1] ~= 1 then widths[n] = widths[n] + 1 end
    hasOwn[n] = hasOwn[n] or limit[1] == 3
  end
end

-- Takes a grant's place in every limit of the caller's own; where one fails, those before it give theirs back.
local function takeOwnPlaces(list, limits, at, grant)
  local taken = {}
  for i = 1, #list do
    if list[i][1] ~= 1 then at = at + 1 end
    if list[i][1] == 3 then
      local ran, fault = ask(list[i][2], 'take', limits[at], grant)
      if not ran then
        for t = #taken, 1, -2 do
          ask(taken[t - 1], 'undo', limits[taken[t]], grant)
        end
        return i .. ',!' .. faultOf(fault)
      end
      taken[#taken + 1], taken[#taken + 2] = list[i][2], at
    end
  end
end

-- How many of the points its limits let a grant have, and where not all, the limit's number and what more is to say. The
-- limits are given as `limits[at]`, their list, and what comes after it.
local function allowed(limits, at, ledger, m, field, points, ms)
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
      local free = limits[at] > 0 and fullUntil(limits[at], limit[2], limit[3], ms)
      if free then return 0, string.format('%d,%d', i, free) end
    else
      at = at + 1
      local grant = { member = names[m], field = field, points = points, ms = ms }
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
local function takePlaces(limits, at, m, field, points, ms)
  local list = limitLists[limits[at]]
  if hasOwn[limits[at]] then
    local fault = takeOwnPlaces(list, limits, at, { member = names[m], field = field, points = points, ms = ms })
    if fault then return fault end
  end
  for i = 1, #list do
    local limit = list[i]
    if limit[1] ~= 1 then
      at = at + 1
      if limit[1] == 2 and limits[at] > 0 then takePlace(limits[at], limit[3], limit[4], ms, nowMs) end
    end
  end
end

-- Judges a limited plain grant, or one that is counted for other limits' sake, that is the only one of its member here. Says
-- whether it did: one of a field that is there is judged with all that is known of it.
local function grantLimited(group, l, m, events, i)
  local field, value, points, ms, at = events[i + 1], events[i + 2], events[i + 3], events[i + 4], i + 5
  local place = ledgerPlaceOf(group, l)
  local ledger = KEYS[others + place]
  if countHeader then
    local texts = call('HMGET', ledger, field, '')
    if texts[1] then return false end
    counts[ledger] = counts[ledger] or keptCounts(ledger, texts[2] or '')
  end
  local given, why = allowed(events, at, ledger, m, field, points, ms)
  if given == 0 then
    if not countHeader and call('HEXISTS', ledger, field) == 1 then return false end
    answer(group, m, limited, points, 0, why)
    return true
  end
  if not (isRoomy or fits(group, m, given)) then return false end
  if given < points then value = string.format('%d', given) .. string.match(value, '^%d+(.*)$') end
  if not countHeader and call('HSETNX', ledger, field, value) == 0 then return false end
  -- What has no places takes none: daily limits have their counts.
  local fault = widths[events[at]] > 1 and takePlaces(events, at, m, field, given, ms)
  if fault then
    if not countHeader then call('HDEL', ledger, field) end
    answer(group, m, limited, points, 0, fault)
    return true
  end
  if countHeader then
    count(ledger, field, given)
    local counted = takeChangedCounts(ledger)
    if counted then
      call('HSET', ledger, field, value, '', counted)
    else
      call('HSET', ledger, field, value)
    end
  end
  local onDay = group[2]
  local isKept = onDay > 0 and (moved[onDay][m] or found[onDay][m])
  move(group, m, given, ms, 1)
  answer(group, m, granted, points, given, why)
  if not isKept then keepLedger(group, place, m) end
  return true
end
