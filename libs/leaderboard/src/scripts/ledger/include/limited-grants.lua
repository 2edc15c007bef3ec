-- For each list, how many values of an event belong to it, itself included, and whether a custom limit is on it.
local widths, hasCustom = {}, {}
for n = 1, #limitLists do
  widths[n] = 1
  for _, limit in ipairs(limitLists[n]) do
    if limit[DAILY.kind] ~= KIND.daily then widths[n] = widths[n] + 1 end
    hasCustom[n] = hasCustom[n] or limit[DAILY.kind] == KIND.custom
  end
end

-- Takes a grant's place in every custom limit; where one fails, those before it give theirs back.
local function takeCustomPlaces(list, limits, at, grant)
  local taken = {}
  for i = 1, #list do
    local limit = list[i]
    if limit[DAILY.kind] ~= KIND.daily then at = at + 1 end
    if limit[DAILY.kind] == KIND.custom then
      local ran, fault = ask(limit[CUSTOM.type], 'take', limits[at], grant)
      if not ran then
        for t = #taken, 1, -2 do
          ask(taken[t - 1], 'undo', limits[taken[t]], grant)
        end
        return i .. ',!' .. faultOf(fault)
      end
      taken[#taken + 1], taken[#taken + 2] = limit[CUSTOM.type], at
    end
  end
end

-- How many of the points its limits let a grant have, and where not all, the limit's number and what more is to say. The
-- limits are given as `limits[at]`, their list, and what comes after it.
local function allowed(limits, at, ledger, m, field, points, ms)
  local list, given, cutBy = limitLists[limits[at]], points, 0
  for i = 1, #list do
    local limit = list[i]
    if limit[DAILY.kind] == KIND.daily then
      local counter = limit[DAILY.counter]
      local left = limit[DAILY.max] - countsOf(ledger)[counter]
      if left <= 0 then return 0, i end
      if left < given and counters[counter][COUNTER.unit] == UNIT.points then
        given, cutBy = left, i
      end
    elseif limit[DAILY.kind] == KIND.sliding then
      at = at + 1
      local free = limits[at] > 0 and fullUntil(limits[at], limit[SLIDING.max], limit[SLIDING.windowMs], ms)
      if free then return 0, string.format('%d,%d', i, free) end
    else
      at = at + 1
      local grant = { member = names[m], field = field, points = points, ms = ms }
      local ran, answer = ask(limit[CUSTOM.type], 'check', limits[at], grant)
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
  if hasCustom[limits[at]] then
    local fault = takeCustomPlaces(list, limits, at, { member = names[m], field = field, points = points, ms = ms })
    if fault then return fault end
  end
  for i = 1, #list do
    local limit = list[i]
    if limit[DAILY.kind] ~= KIND.daily then
      at = at + 1
      if limit[DAILY.kind] == KIND.sliding and limits[at] > 0 then
        takePlace(limits[at], limit[SLIDING.windowMs], limit[SLIDING.keepMs], ms, nowMs)
      end
    end
  end
end

-- Judges a limited plain grant, or one that is counted for other limits' sake, that is the only one of its member here. Says
-- whether it did: one of a field that is there is judged with all that is known of it.
local function grantLimited(group, l, m, events, i)
  local field, value, points, ms, at = events[i + EVENT.field], events[i + EVENT.value], events[i + EVENT.points], events[i + EVENT.ms], i + 5
  local place = ledgerOf(group, l)
  local ledger = KEYS[others + place]
  if countHeader then
    local texts = call('HMGET', ledger, field, '')
    if texts[1] then return false end
    counts[ledger] = counts[ledger] or keptCounts(ledger, texts[2] or '')
  end
  local given, why = allowed(events, at, ledger, m, field, points, ms)
  if given == 0 then
    if not countHeader and call('HEXISTS', ledger, field) == 1 then return false end
    answer(group, m, OUTCOME.limited, points, 0, why)
    return true
  end
  if not (isRoomy or fits(group, m, given)) then return false end
  if given < points then value = string.format('%d', given) .. string.match(value, '^%d+(.*)$') end
  if not countHeader and call('HSETNX', ledger, field, value) == 0 then return false end
  -- What has no places takes none: daily limits have their counts.
  local fault = widths[events[at]] > 1 and takePlaces(events, at, m, field, given, ms)
  if fault then
    if not countHeader then call('HDEL', ledger, field) end
    answer(group, m, OUTCOME.limited, points, 0, fault)
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
  local onDay = group[GROUP.dayBoard]
  local isKept = onDay > 0 and (moved[onDay][m] or found[onDay][m])
  move(group, m, given, ms, 1)
  answer(group, m, OUTCOME.granted, points, given, why)
  if not isKept then keepLedger(group, place, m) end
  return true
end
