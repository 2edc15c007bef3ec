-- For each list, how many values of an event belong to it, itself included; whether a custom limit is on it; and its
-- only limit, unless that is a custom one; false: it has none or several.
local widths, hasCustom, onlyLimit = {}, {}, {}
for n = 1, #limitLists do
  local list = limitLists[n]
  widths[n] = 1
  for _, limit in ipairs(list) do
    if limit[DAILY.kind] ~= KIND.daily then widths[n] = widths[n] + 1 end
    hasCustom[n] = hasCustom[n] or limit[DAILY.kind] == KIND.custom
  end
  onlyLimit[n] = #list == 1 and not hasCustom[n] and list[1][DAILY.kind] ~= KIND.period and list[1]
end

-- Takes a grant's place in every custom limit; where one fails, those before it give theirs back.
local function takeCustomPlaces(list, limits, at, grant)
  local taken = {}
  for i = 1, #list do
    local limit = list[i]
    if limit[DAILY.kind] ~= KIND.daily then at = at + 1 end
    if limit[DAILY.kind] == KIND.custom then
      grant.field = limits[at][GIVEN.field]
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

-- Whether caps are left to include/day-caps.lua.
local leavesCaps = false

local function leaveCaps(leaves)
  leavesCaps = leaves
end

-- How many of the points its limits let a grant have, false: they refuse it; and where not all, the limit's number and
-- what more is to say. The limits are given as `limits[at]`, their list, and what comes after it; the ledger's
-- `numbers` if they are known. Returns those it knows.
local function allowed(limits, at, ledger, m, field, points, ms, numbers)
  local list, given, cutBy = limitLists[limits[at]], points, 0
  for i = 1, #list do
    local limit = list[i]
    local ofPeriod = limit[DAILY.kind] == KIND.period
    if ofPeriod then at = at + 1 end
    if ofPeriod and limits[at] == 0 then
      -- The day lies in no period of the limit.
    elseif leavesCaps and limit[DAILY.kind] == KIND.daily and caps[limit[DAILY.counter]] > 0 then
      -- Judged with all of its day.
    elseif ofPeriod or limit[DAILY.kind] == KIND.daily then
      local counter = limit[DAILY.counter]
      numbers = numbers or countsOf(ledger)
      local left = limit[DAILY.max] - numbers[counter]
      for p = 2, ofPeriod and #limits[at] or 0 do
        left = left - countsOf(KEYS[others + limits[at][p]])[counter]
      end
      local ofPoints = counters[counter][COUNTER.unit] == UNIT.points
      -- A grant of no points, or of fewer, needs none that are left.
      if left <= 0 and not (ofPoints and points <= 0) then
        return false, ofPeriod and string.format('%d,%.0f', i, limits[at][1]) or i
      end
      if ofPoints and given > 0 and left < given then given, cutBy = left, i end
    elseif limit[DAILY.kind] == KIND.sliding then
      at = at + 1
      local free = limits[at] > 0 and fullUntil(limits[at], limit[SLIDING.max], limit[SLIDING.windowMs], ms)
      if free then return false, string.format('%d,%d', i, free) end
    else
      at = at + 1
      local grant = { member = names[m], field = limits[at][GIVEN.field], points = points, ms = ms }
      local ran, answer = ask(limit[CUSTOM.type], 'check', limits[at], grant)
      if not ran then return false, i .. ',!' .. faultOf(answer) end
      if type(answer) == 'number' then return false, string.format('%d,%d', i, answer) end
      if answer == false then return false, i end
    end
  end
  return given, cutBy, numbers
end

-- Takes a grant's place in every limit that has places; says what stood against it where one could not: no window has
-- taken it then.
local function takePlaces(limits, at, m, field, points, ms)
  local list = limitLists[limits[at]]
  if hasCustom[limits[at]] then
    local fault = takeCustomPlaces(list, limits, at, { member = names[m], points = points, ms = ms })
    if fault then return fault end
  end
  for i = 1, #list do
    local limit = list[i]
    if limit[DAILY.kind] ~= KIND.daily then
      at = at + 1
      if limit[DAILY.kind] == KIND.sliding and limits[at] > 0 then
        takePlace(limits[at], limit[SLIDING.windowMs], limit[SLIDING.keepMs], ms, latestIn(limits[at]))
      end
    end
  end
end

-- Why the limits refuse the first grant that `grantByLimits` has not judged; nil where they do not.
local refusal

-- The half of `grantEach` that judges by limits and writes ledgers. A grant whose points are cut ends it, and where
-- grants are counted, several of one member: those are counted together. Most grants are under one limit alone, which
-- has room: a daily limit, or a sliding window that is short and in order. Those are judged here, as every call of a
-- function costs Redis' CPU.
local function grantByLimits(group, events, first)
  local call, KEYS, windows, limitsOf, isCounting = call, KEYS, windows, limitsOf, countHeader ~= nil
  local places, ledgers, beforeFirst = group[GROUP.members], group[GROUP.ledgers], others + group[GROUP.firstLedger] - 1
  local dayFound, dayMoved = found[group[GROUP.dayBoard]], moved[group[GROUP.dayBoard]]
  local width, i, at, l, kept = #group[GROUP.boards], first, limitsAt, events[first], 0
  local dayFrom = group[GROUP.day] * 86400000 - 50400000
  local listed, listWidth, counting, dailyMax, counter, ofPoints, keepMs, keptFrom, mostBytes
  while l and l < 0 do
    if isCounting and (events[i + 5] == l or events[i + 5] == -l) then return end
    l = -l
    if limitsOf[at] ~= listed then
      listed = limitsOf[at]
      local only = onlyLimit[listed]
      listWidth, counting, dailyMax, keepMs = widths[listed], countedBy[listed], nil, nil
      if only and only[DAILY.kind] == KIND.daily then
        dailyMax, counter = only[DAILY.max], only[DAILY.counter]
        ofPoints = counters[counter][COUNTER.unit] == UNIT.points
      elseif only then
        keepMs, keptFrom, mostBytes = only[SLIDING.keepMs], nowMs + 2 * only[SLIDING.windowMs], 8 * math.min(only[SLIDING.max], maxForgotten)
      end
    end
    local place, m, ms, points = ledgers == 0 and beforeFirst + l or others + ledgers[l], places == 0 and l or places[l], events[i + 4], events[i + 3]
    local ledger, field, value = KEYS[place], events[i + 1], events[i + 2]
    local isNew, hasRoom, w, window, added, text, numbers
    if isCounting then
      local texts = call('HMGET', ledger, field, '')
      text, numbers = texts[1], counts[ledger] or keptCounts(ledger, texts[2] or '')
      if latestAt and not text and #counting > 0 then
        numbers = numbers or countsOf(ledger)
        if numbers[latestAt] >= 0 and ms - dayFrom <= numbers[latestAt] then return end
      end
      hasRoom = numbers and dailyMax and dailyMax - numbers[counter] >= (ofPoints and points or 1)
    end
    if keepMs and not text and ms <= nowMs then
      w = limitsOf[at + 1]
      window = windows[w]
      if window then
        if appended[w] then window = window .. appended[w] end
        local size = #window
        if size <= mostBytes and size >= 16 and size % 8 == 0 then
          local keptUntil, latest = unpackAt('>dd', window)
          if size > 16 then latest = unpackAt('>d', window, size - 7) end
          hasRoom = latest >= 0 and latest <= ms and keptUntil >= keptFrom
          added = hasRoom and pack('>d', ms)
        end
      elseif window == false then
        hasRoom, added = true, pack('>dd', nowMs + keepMs, ms)
      end
    end
    if not (text or hasRoom) then
      local given, why, known = allowed(limitsOf, at, ledger, m, field, points, ms, numbers)
      if not given and (isCounting or call('HEXISTS', ledger, field) == 0) then refusal = why end
      if not given or given < points then return end
      numbers = known
    end
    if not text and (isCounting or call('HSETNX', ledger, field, value) == 1) then
      if added and window then
        appended[w] = appended[w] and appended[w] .. added or added
      elseif added then
        windows[w], rewritten[w] = added, keepMs
      elseif listWidth > 1 then
        local fault = takePlaces(limitsOf, at, m, field, points, ms)
        if fault then
          if not isCounting then call('HDEL', ledger, field) end
          refusal = fault
          return
        end
      end
      if numbers and #counting > 0 then
        for c = 1, #counting do
          local counter = counting[c]
          local unit = counters[counter][COUNTER.unit]
          numbers[counter] = numbers[counter] + (unit == UNIT.points and points or (points > 0 or unit == UNIT.standing) and 1 or 0)
        end
        if latestAt and numbers[latestAt] >= 0 then numbers[latestAt] = hasCaps and ms - dayFrom or -1 end
        changedCounts[ledger] = nil
        call('HSET', ledger, field, value, '', textOf(numbers))
      elseif isCounting then
        call('HSET', ledger, field, value)
      end
      replies[r + 1], isNew = OUTCOME.granted, true
    else
      if not isRepeated(ledger, field, value, text) then return end
      -- It moves nothing.
      events[i + 3], replies[r + 1] = -1, OUTCOME.duplicate
    end
    for b = 2, width + 1 do
      replies[r + b] = 0
    end
    events[i] = l
    i, at, r = i + 5, at + listWidth, r + 1 + width
    reached, limitsAt = i, at
    if isNew and l ~= kept then
      if not (dayFound and (dayFound[m] or dayMoved[m])) then keepLedger(group, place - others, m) end
      kept = l
    end
    l = events[i]
  end
end

-- As `grantEach`, for limited grants; a grant that is refused ends it.
local function grantEachLimited(group, events, first)
  local i, thrown = grantEach(group, events, first, grantByLimits)
  if refusal then
    local m, place = nameOf(group, -events[i]), ledgerOf(group, -events[i])
    local ledger = KEYS[others + place]
    local field, value = events[i + EVENT.field], longValue(events[i + EVENT.value], group[GROUP.day])
    value = refusedValue(ledger, field, value, refusal, limitsOf[limitsAt], group[GROUP.day])
    if value then
      call('HSET', ledger, field, value)
      keepLedger(group, place, m)
    end
    answer(group, m, OUTCOME.limited, events[i + EVENT.points], 0, refusal)
    i, limitsAt, refusal = i + 5, limitsAt + widths[limitsOf[limitsAt]], nil
  end
  return i, thrown
end
