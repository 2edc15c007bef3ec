-- What a field that holds `text` holds after a plain grant of `value`. Usually the field stands, and only its latest
-- grant changes, which is told behind the number of the earliest; nil where it is not so.
local function repeatedOf(text, value)
  if text == value then return text end
  if #value <= 10 and #text <= 10 and string.find(text, '^%d+$') and string.find(value, '^%d+$') then
    -- Points and moments alone: the usual ones.
    local later = tonumber(value) % shortMs - tonumber(text) % shortMs
    if later == 0 then return text end
    return later > 0 and string.format('%s+%d', text, later) or nil
  end
  local number, after, sequence = string.match(text, '^(%d+)%+?(%d*)%.?(%d*)$')
  if not number or string.find(value, ';', 1, true) then return nil end
  local low, high = shortParts(number)
  local newLow, newHigh = shortParts(value)
  local later, first, new = newLow % shortMs - low % shortMs, (high - high % 1024) / 1024, (newHigh - newHigh % 1024) / 1024
  if later < 0 or later == 0 and new < first then return nil end
  local latest = after ~= '' and tonumber(sequence) or after == '' and first or 0
  after = tonumber(after) or 0
  if later < after or later == after and new <= latest then return text end
  return string.format(new > 0 and '%s+%d.%d' or '%s+%d', number, later, new)
end

-- Judges a plain grant of an existing field, which holds `text`, if that is known; says whether it is repeatedOf's.
local function isRepeated(ledger, field, value, text)
  text = text or call('HGET', ledger, field)
  local repeated = repeatedOf(text, value)
  if repeated and repeated ~= text then call('HSET', ledger, field, repeated) end
  return repeated ~= nil
end

-- Where the first event begins that the half of `grantEach` which writes ledgers has not judged.
local reached

-- That half for grants without limits.
local function grantByLedgers(group, events, first)
  local places = group[GROUP.members]
  local dayFound, dayMoved = found[group[GROUP.dayBoard]], moved[group[GROUP.dayBoard]]
  local ledgers, beforeFirst = group[GROUP.ledgers], others + group[GROUP.firstLedger] - 1
  local width, i, l, kept, isPaged = #group[GROUP.boards], first, events[first], 0, plan[PLAN.isPaged] == 1
  while l and l > 0 do
    local place, field, value = ledgers == 0 and beforeFirst + l or others + ledgers[l], events[i + EVENT.field], events[i + EVENT.value]
    local ledger, pages, isNewPage = place, nil, nil
    if isPaged and type(field) == 'table' then
      field, pages = field[PAGED.field], field[PAGED.pages]
      place, isNewPage = hashFor(ledger - others, field, pages)
      if not place then break end
    end
    local isNew = call('HSETNX', KEYS[place], field, value) == 1
    if isNew then
      replies[r + 1] = OUTCOME.granted
    else
      if not isRepeated(KEYS[place], field, value) then break end
      -- It moves nothing.
      events[i + EVENT.points] = -1
      replies[r + 1] = OUTCOME.duplicate
    end
    for b = 2, width + 1 do
      replies[r + b] = 0
    end
    if isNew and place ~= ledger then
      local points, version = string.match(longValue(value, group[GROUP.day]), '^(%d+)(v?%d*);')
      addTotal(pages, place, field, version, 1, tonumber(points), events[i + EVENT.ms])
      if isNewPage then keepPage(place, group[GROUP.ledgerExpireAtMs]) end
    end
    i, r = i + 5, r + 1 + width
    reached = i
    if isNew and l ~= kept and place == ledger then
      local m = places == 0 and l or places[l]
      -- Who stands on the day's board has a ledger of that day, with its expiry.
      if not (dayFound and (dayFound[m] or dayMoved[m])) then keepLedger(group, place - others, m) end
    end
    kept, l = l, events[i]
  end
end

-- Judges plain grants of new and of standing fields, the usual ones, if every board has room: first in the ledgers,
-- then board by board, which saves a lookup of boards for each event. An HSETNX for each grant costs less than reading
-- and writing several fields of a ledger at once. Returns where the first other event begins, and the error that ended
-- this, or nil: grants that reached the ledgers before it reach the boards too.
local function grantEach(group, events, first, writeLedgers)
  local onBoards, places, width, from = group[GROUP.boards], group[GROUP.members], #group[GROUP.boards], r
  reached = first
  local ran, thrown = pcall(writeLedgers, group, events, first)
  for o = 1, width do
    local b, at = onBoards[o], from + 1 + o
    local board, before, after = boards[b], found[b], moved[b]
    local origin, tick, unit, isTally = board[BOARD.originMs], board[BOARD.tickMs], board[BOARD.unit], board[BOARD.isTally]
    local latest = unit - 1 - board[BOARD.lastElapsed]
    for e = first, reached - 1, 5 do
      local l = events[e]
      local m = places == 0 and l or places[l]
      local score, worth, since = after[m] or before[m], events[e + 3], events[e + 4] - origin
      if isTally and worth >= 0 then worth = 1 end
      if worth > 0 then
        local time = unit - 1 - (since - since % tick) / tick
        local kept = score and score % unit or unit - 1
        -- As `move` has it: a time forward, never back, and within the board's period.
        if time > kept then time = kept end
        if time < latest then time = score and kept or latest end
        score = (score and score - kept or 0) + worth * unit + time
        after[m] = score
      end
      replies[at], at = score or 0, at + 1 + width
    end
  end
  return reached, not ran and thrown or nil
end
