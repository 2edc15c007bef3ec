-- The latest moments that are left where one ceases to stand, or comes to stand earlier. Only a board whose entry has
-- its time from that one is looked after.

-- The ledgers of a day are named as that of another day is.
local function compactDay(day)
  local fromMarch = day + 719468
  local era = math.floor(fromMarch / 146097)
  local ofEra = fromMarch - era * 146097
  local year = math.floor((ofEra - math.floor(ofEra / 1460) + math.floor(ofEra / 36524) - math.floor(ofEra / 146096)) / 365)
  local ofYear = ofEra - 365 * year - math.floor(year / 4) + math.floor(year / 100)
  local month = math.floor((5 * ofYear + 2) / 153)
  local date = ofYear - math.floor((153 * month + 2) / 5) + 1
  month = month < 10 and month + 3 or month - 9
  return string.format('%04d%02d%02d', year + era * 400 + (month <= 2 and 1 or 0), month, date)
end

-- What tells which fields of which days count on a board, as STANDING lists it.
local standing

-- The days from one to another of which there may be ledgers, the latest first.
local function daysOf(first, last, ledger)
  if plan[PLAN.daysExpireAtMs] >= 0 then return call('ZREVRANGEBYSCORE', KEYS[others + ledger + 1], last, first) end
  local days = {}
  for day = last, first, -1 do
    days[#days + 1] = day
  end
  return days
end

-- In ms, when a value of the short form came to stand; nil: it is no such value.
local function shortMoment(text, day)
  local number = string.match(text, '^(%d+)%+?[%d.]*$')
  return number and #number <= 19 and day * 86400000 - 50400000 + tonumber(string.sub(number, -10)) % shortMs or nil
end

-- What was found in the pages of days in this search, and in which of them the moment was too late: what to put there.
local inPages, rightMoments = {}, {}

-- The latest moment of what counts on a board and lies in the pages of a day; pages that know of nothing later than
-- what was found are not read, nor any below one where nothing counts, the latest first. Fields are looked at in full
-- only if they may be later. A page whose `@` is of something that stands no more is noted, so that the next search
-- passes it by.
local function latestInPages(tag, member, stem, day, own, board, name, beginnings)
  local search = stem .. (board[BOARD.isTally] and '=' or '+') .. (beginnings == 0 and '' or table.concat(beginnings, ','))
  if inPages[search] ~= nil then return inPages[search] or nil end
  local total, latest = board[BOARD.isTally] and '^=%d+(.*)$' or '^%+%d+(.*)$', nil
  local function keyOf(path)
    return tag .. 'ledger-page:' .. stem .. path .. ':' .. member
  end
  -- Returns what nothing that stands in the page and below it is later than.
  local function consider(path, at)
    local fields, counts, bound, below = call('HGETALL', keyOf(path)), false, 0, {}
    for i = 1, #fields, 2 do
      local beginning = string.match(fields[i], total)
      counts = counts or beginning and beginsWithOne(beginning, beginnings) and tonumber(fields[i + 1]) ~= 0
    end
    if not counts then return at end
    for i = 1, #fields, 2 do
      local field, text = fields[i], fields[i + 1]
      local short = shortMoment(text, day)
      if string.find(field, '^[=+@]') or own and field == own.name then
        short = nil
      elseif short and latest and short <= latest then
        bound = math.max(bound, short)
      else
        local value = longValue(text, day)
        local _, ms, isDamaged = worthOf(field, value, name, beginnings, board[BOARD.isTally])
        if isDamaged then error('The field "' .. field .. '" of ' .. keyOf(path) .. ' cannot be read.') end
        if ms and (not latest or ms > latest) then latest = ms end
        -- What counts on other boards alone bounds the page too.
        local any = ms or select(2, worthOf(field, value, name, 0, true)) or 0
        bound = math.max(bound, any)
      end
    end
    for letter in string.gmatch(#path + 1 < pageLevels and '0123456789abcdef' or '', '.') do
      local latestBelow = tonumber(call('HGET', keyOf(path .. letter), '@') or nil)
      if latestBelow then below[#below + 1] = { latestBelow, path .. letter } end
    end
    table.sort(below, function(a, b) return a[1] > b[1] end)
    for _, page in ipairs(below) do
      local isNeeded = not latest or page[1] > latest
      bound = math.max(bound, isNeeded and consider(page[2], page[1]) or page[1])
    end
    if bound < at then rightMoments[keyOf(path)] = bound end
    return math.min(bound, at)
  end
  consider('', tonumber(call('HGET', keyOf(''), '@') or nil) or 0)
  inPages[search] = latest or false
  return latest
end

-- Adds the days of a member's old ledgers to a list, the latest first, as PLAN.cold has them; says whether these are
-- all that there can be.
local function addOldDays(days, old, first, last)
  local found = 0
  for i = 2, old and #old or 0 do
    local day = math.abs(old[i])
    if day >= first and day <= last then
      days[#days + 1] = old[i]
      found = found + 1
    end
  end
  return old and old[1] == 1 or found == last - first + 1
end

-- The latest tick at which something stands on a board of a member's, with `decided` by ledgers' keys; false where
-- nothing does in the ledgers that there are, or where these do not tell. `isEmpty`: the entry has no points left, so
-- something stands only if an adjustment took it. Ledgers are read from the latest day on, until one tells: only an
-- adjustment may be later than a day after its own. True besides where one that is in the cold store might tell.
latestOn = function(b, ledger, decided, isEmpty)
  standing = standing or cjson.decode(plan[PLAN.standing])
  local board, beginnings, name = boards[b], standing[b][STANDING.beginnings], standing[b][STANDING.name]
  if beginnings == 1 then return false end
  local tag, member = string.match(KEYS[others + ledger], '^({[^}]*}:)ledger:%d+:(.*)$')
  local isAdjusted = call('EXISTS', tag .. 'adjusted:' .. member) == 1
  if isEmpty and not isAdjusted then return false end
  local latest, latestDay
  local function consider(ms, day)
    if ms and (not latest or ms > latest) then latest, latestDay = ms, day end
  end
  local first, last = standing[b][STANDING.firstDay], standing[b][STANDING.lastDay]
  for _, own in pairs(decided) do
    local counts = own.is and (board[BOARD.isTally] or own.record.points + own.change ~= 0)
    if counts and own.day >= first and own.day <= last then consider(own.is, own.day) end
  end
  local cold = plan[PLAN.cold]
  local firstHot = cold == 0 and first or math.max(first, cold[''][1])
  local days, areAll, isUntold = daysOf(firstHot, last, ledger), true, false
  if firstHot > first then areAll = addOldDays(days, cold[member], first, math.min(last, firstHot - 1)) end
  for _, day in ipairs(days) do
    day = tonumber(day)
    if latest and latestDay > math.abs(day) and not isAdjusted then break end
    if day < firstHot and not areAll then break end
    isUntold = day < 0
    if isUntold then break end
    local stem = compactDay(day) .. ':'
    local key = tag .. 'ledger:' .. stem .. member
    local own, all = decided[key], call('HGETALL', key)
    for i = 1, #all, 2 do
      if not (own and all[i] == own.name) then
        local _, ms, isDamaged = worthOf(all[i], longValue(all[i + 1], day), name, beginnings, board[BOARD.isTally])
        if isDamaged then error('The field "' .. all[i] .. '" of ' .. key .. ' cannot be read.') end
        consider(ms, day)
      end
    end
    if #all >= 2 * ledgerFields then consider(latestInPages(tag, member, stem, day, own, board, name, beginnings), day) end
  end
  isUntold = isUntold or not areAll and (isAdjusted or not latest or latestDay < firstHot)
  return latest and tickIn(latest, board[BOARD.originMs], board[BOARD.tickMs], board[BOARD.lastElapsed]) or false, isUntold
end

-- By board, the tick of the latest moment that is left there, or false; of the boards that must look for it. True
-- besides where a ledger in the cold store might tell one.
local function timesLeft(m, days, decided)
  local sums, isLost, isCoarse, ledgers, left, isUntold = {}, {}, {}, {}, {}, false
  for d = 1, #days do
    local one, ledger, group = decided[d], days[d][DAY.ledger], groups[days[d][DAY.group]]
    local goesBack = one.was and (not one.is or one.is < one.was)
    for o = 1, (goesBack or one.flip ~= 0) and #group[GROUP.boards] or 0 do
      local b = group[GROUP.boards][o]
      local board, score = boards[b], scoreOn(b, m)
      local worth = board[BOARD.isTally] and one.flip or one.change
      sums[b] = (sums[b] or 0) + worth
      if score and hasLostTime(b, score, worth) then
        isCoarse[b], ledgers[b] = true, ledger
      end
      if goesBack and score and (board[BOARD.isTally] or one.record.points ~= 0) then
        local tick = tickIn(one.was, board[BOARD.originMs], board[BOARD.tickMs], board[BOARD.lastElapsed])
        isLost[b] = isLost[b] or score == packed(score - score % board[BOARD.unit], board[BOARD.unit] - 1 - tick)
        ledgers[b] = ledger
      end
    end
  end
  local byKey
  inPages, rightMoments = {}, {}
  for b, ledger in pairs(ledgers) do
    local sum = math.floor(scoreOn(b, m) / boards[b][BOARD.unit]) + sums[b]
    local isEmpty = sum == 0 or sum < 0 and not isLowered(b, m)
    if isLost[b] or isEmpty or isCoarse[b] then
      if not byKey then
        byKey = {}
        for d = 1, #days do
          byKey[KEYS[others + days[d][DAY.ledger]]] = decided[d]
        end
      end
      local isOneUntold
      left[b], isOneUntold = latestOn(b, ledger, byKey, isEmpty)
      isUntold = isUntold or isOneUntold
      if isOneUntold and not (isLost[b] or isEmpty) then left[b] = nil end
    end
  end
  return left, isUntold
end

-- Whether the ledgers in Redis tell all times that are left, even if nothing that counts on these days counted any
-- more.
local function knowsTimes(m, days, decided)
  local ended = {}
  for d, one in ipairs(decided) do
    local was = days[d][DAY.group] > 0 and one.was
    ended[d] = {
      name = one.name, day = one.day, record = one.record, was = was, is = false,
      change = was and -one.record.points or 0, flip = was and -1 or 0,
    }
  end
  local _, isUntold = timesLeft(m, days, ended)
  return not isUntold
end
