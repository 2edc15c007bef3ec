-- When an entry was reached, as ticks since its board's period began, and a tick as ms.
local function elapsedOf(board, entry)
  return board[AUDITED.unit] - 1 - entry % board[AUDITED.unit]
end

local function msOf(board, elapsed)
  return board[AUDITED.originMs] + elapsed * board[AUDITED.tickMs]
end

-- The sum of the ledgers of a board's days, and bounds of the time when it was reached, in ticks: no earlier than
-- `first`, no later than `last`; and `latest`, that of the latest moment that stands, if any. That is the time, unless
-- ledgers are gone, which may have told a later one.
-- Pages tell the latest moment of their fields, which is a bound alone.
local function sumOf(board)
  local sum, latest, latestPaged = board[AUDITED.coldPoints], board[AUDITED.coldLatest], nil
  if latest < 0 then latest = nil end
  for ledger = board[AUDITED.firstLedger], board[AUDITED.lastLedger] do
    local all = fieldsOf(ledger)
    for i = 1, #all, 2 do
      local value = longValue(all[i + 1], days[ledger])
      local worth, ms = worthOf(all[i], value, board[AUDITED.name], board[AUDITED.prefixes], board[AUDITED.isTally] == 1)
      sum = sum + worth
      if ms and (not latest or ms > latest) then latest = ms end
    end
    local totals, ms = totalsOf(ledger)
    for i = 1, #totals, 3 do
      local worth = beginsWithOne(totals[i], board[AUDITED.prefixes]) and totals[i + (board[AUDITED.isTally] == 1 and 1 or 2)] or 0
      sum = sum + worth
      if worth ~= 0 and ms and (not latestPaged or ms > latestPaged) then latestPaged = ms end
    end
  end
  local lastTick = board[AUDITED.lastElapsed]
  local function tickOf(ms)
    return ms and tickIn(ms, board[AUDITED.originMs], board[AUDITED.tickMs], lastTick)
  end
  local isWhole, first = board[AUDITED.comparison] == COMPARISON.equal, tickOf(latest)
  local last = tickOf(latestPaged and math.max(latestPaged, latest or 0) or latest)
  return sum, { first = first or 0, last = last and isWhole and last or lastTick, latest = last }
end

-- The bound that an entry's time passes, in ticks, if any; as far as an entry of so many points tells ticks.
local function boundPassed(board, entry, times)
  local unit, elapsed = board[AUDITED.unit], elapsedOf(board, entry)
  local function told(tick)
    return unit - 1 - packed(entry - entry % unit, unit - 1 - tick) % unit
  end
  return elapsed < told(times.first) and times.first or elapsed > told(times.last) and times.last or nil
end
