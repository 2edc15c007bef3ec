-- By members and fields, what was left to another call: what comes after it is left too, and so stays in its order.
-- Nil, usually: nothing was.
local leftOut

local function leave(m, field)
  leftOut = leftOut or {}
  leftOut[m .. ' ' .. field] = true
end

local function isLeft(m, field)
  return leftOut and leftOut[m .. ' ' .. field]
end

-- Judges what comes with all that judging it needs; says where the next event begins.
local function judgeEvent(group, events, i, isClosed)
  local l, at = events[i], i
  if l == 0 then
    at = i + 1
    l = events[at]
  end
  local ledger = ledgerOf(group, math.abs(l))
  local m = group[GROUP.members] == 0 and math.abs(l) or group[GROUP.members][math.abs(l)]
  local field, value, points, ms = events[at + EVENT.field], events[at + EVENT.value], events[at + EVENT.points], events[at + EVENT.ms]
  if isClosed then
    answer(group, m, OUTCOME.closed, points, 0, 0)
    if l < 0 then limitsAt = limitsAt + limits.widths[limitsOf[limitsAt]] end
    return at + 5
  end
  if value.op == 'refuse' then
    answer(group, m, OUTCOME.refused, points, 0, 0)
    limitsAt = limitsAt + value.limitsWidth
    return at + 5
  end
  if not judge then judge, judgeById, adjust = makeJudges() end
  if value.op == 'adjust' then
    local outcome, change, detail = adjust(group, m, ledger, field, points, ms, value)
    answer(group, m, outcome, points, change, detail)
  else
    local outcome, change, detail = OUTCOME.unjudged, 0, 0
    if not isLeft(m, field) then
      outcome, change, detail = (value.id and judgeById or judge)(m, field, points, ms, value)
    end
    if outcome == OUTCOME.unjudged or outcome == OUTCOME.crowded then leave(m, field) end
    answer(group, m, outcome, points, change, detail)
  end
  return at + 5
end

-- Judges consecutive plain grants of one member with one read and one write of the ledger. Returns where the next event
-- begins.
local function grantTogether(place, events, i)
  local group = groups[place]
  local l = math.abs(events[i])
  local m = group[GROUP.members] == 0 and l or group[GROUP.members][l]
  local ledgerPlace = ledgerOf(group, l)
  local ledger, page, pages, isNewPage = KEYS[others + ledgerPlace], nil, nil, false
  local first, isPaged = events[i + EVENT.field], type(events[i + EVENT.field]) == 'table'
  local wasLeft = isLeft(m, isPaged and first[PAGED.field] or first)
  if isPaged and not wasLeft then
    pages = first[PAGED.pages]
    page, isNewPage = hashFor(ledgerPlace, first[PAGED.field], pages)
  end
  if wasLeft or isPaged and not page then
    local outcome, detail = OUTCOME.unjudged, 0
    if not wasLeft then
      leave(m, first[PAGED.field])
      outcome, detail = OUTCOME.crowded, string.format('%d', ledgerPlace)
    end
    if events[i] < 0 then limitsAt = limitsAt + limits.widths[limitsOf[limitsAt]] end
    answer(group, m, outcome, events[i + EVENT.points], 0, detail)
    return i + 5
  end
  if isPaged then
    events[i + EVENT.field], ledger = first[PAGED.field], KEYS[page]
    if page == others + ledgerPlace then page = nil end
  end
  local onDay = found[group[GROUP.dayBoard]]
  local isKept = onDay and scoreOn(group[GROUP.dayBoard], m)

  local asked, n, stop = {}, 0, i
  -- One that may lie in a page is judged alone.
  while (events[stop] == l or events[stop] == -l) and type(events[stop + EVENT.field]) == 'string' and not isLeft(m, events[stop + EVENT.field]) do
    n = n + 1
    asked[n] = events[stop + EVENT.field]
    stop = stop + 5
    if pages then break end
  end
  local isCounting = limits and limits.isCounting and not pages
  if isCounting then asked[n + 1] = '' end
  local texts, known, written, isWritten = call('HMGET', ledger, unpack(asked)), {}, {}, false
  for k = 1, n do
    known[asked[k]] = texts[k]
  end
  if isCounting and not limits.counts[ledger] then limits.counts[ledger] = limits.keptCounts(ledger, texts[n + 1] or '') end

  local function writeLedger()
    if not isWritten then return end
    local lines, n = {}, 0
    for field in pairs(written) do
      lines[n + 1], lines[n + 2] = field, known[field]
      n = n + 2
    end
    local counted = isCounting and limits.takeChangedCounts(ledger)
    if counted then lines[n + 1], lines[n + 2] = '', counted end
    call('HSET', ledger, unpack(lines))
    local isNew = not isKept
    written, isWritten, isKept = {}, false, true
    if page then
      if isNewPage then keepPage(page, group[GROUP.ledgerExpireAtMs]) end
    elseif isNew then
      keepLedger(group, ledgerPlace, m)
    end
  end
  writeOpenLedger = writeLedger

  while i < stop do
    local isLimited, field, value, points, ms = events[i] < 0, events[i + EVENT.field], events[i + EVENT.value], events[i + EVENT.points], events[i + EVENT.ms]
    i = i + 5
    local outcome, change, detail = OUTCOME.duplicate, 0, 0
    local text = known[field]
    local isBehind = not text and isCounting and limits.isBehind(ledger, field, group[GROUP.day], ms)
    if text or isBehind then
      local repeated = text and repeatedOf(text, value)
      if not repeated then
        writeLedger()
        if not judge then judge, judgeById, adjust = makeJudges() end
        local own, moment = string.match(longValue(value, group[GROUP.day]), '^%d+(v?%d*);(.*)$')
        local extra = { op = 'grant', moment = moment, version = own, days = { { place, ledgerPlace, group[GROUP.day], pages } }, own = 1, from = 0, once = 1, limits = isLimited and limitsOf, limitsAt = limitsAt }
        outcome, change, detail = judge(m, field, points, ms, extra)
        if outcome == OUTCOME.unjudged then leave(m, field) end
        known[field] = call('HGET', ledger, field)
      elseif repeated ~= text then
        known[field] = repeated
        written[field], isWritten = true, true
      end
    else
      outcome, change = OUTCOME.granted, points
      if isLimited then
        -- What is not counted yet is counted from the ledger.
        if isCounting and not limits.counts[ledger] then writeLedger() end
        change, detail = limits.allowed(limitsOf, limitsAt, ledger, m, field, points, ms)
      end
      if not change then
        outcome, change = OUTCOME.limited, 0
        known[field] = limits.refusedValue(ledger, field, longValue(value, group[GROUP.day]), detail, limitsOf[limitsAt], group[GROUP.day])
        if known[field] then
          written[field], isWritten = true, true
        end
      elseif not (isRoomy or fits(group, m, change)) then
        outcome, change, detail = OUTCOME.outOfRange, 0, 0
      else
        local fault = isLimited and limits.takePlaces(limitsOf, limitsAt, m, field, change, ms)
        if fault then
          outcome, change, detail = OUTCOME.limited, 0, fault
        else
          if change < points then value = limits.cutValue(ledger, field, value, change, group[GROUP.day]) end
          known[field] = value
          written[field], isWritten = true, true
          if page then
            local version = string.match(longValue(value, group[GROUP.day]), '^%d+(v?%d*);')
            addTotal(pages, page, field, version, 1, change, ms)
          end
          if isCounting then
            limits.count(ledger, field, change, 1)
            limits.noteLatest(ledger, limits.sinceDay(group[GROUP.day], ms))
          end
          if change > 0 then move(group, m, change, ms, 1) else moveTallies(group, m, ms, 1) end
        end
      end
    end
    if isLimited then limitsAt = limitsAt + limits.widths[limitsOf[limitsAt]] end
    answer(group, m, outcome, points, change, detail)
  end
  writeLedger()
  writeOpenLedger = nil
  return stop
end
