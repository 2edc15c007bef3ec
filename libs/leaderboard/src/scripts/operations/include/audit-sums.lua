-- When an entry was reached, as ticks since its board's period began, and a tick as ms.
local function elapsedOf(board, entry)
  return board[AUDITED.unit] - 1 - entry % board[AUDITED.unit]
end

local function msOf(board, elapsed)
  return board[AUDITED.originMs] + elapsed * board[AUDITED.tickMs]
end

local function ticksOf(board, ms)
  return math.floor((ms - board[AUDITED.originMs]) / board[AUDITED.tickMs])
end

-- The sum of the ledgers of a board's days, and bounds of the time when it was reached, in ticks: no earlier than
-- `first`, no later than `last`; and `latest`, the latest of their moments in the period, if any. An entry's time is
-- that of the latest transition that changed it. Each transition left its moment in a field, but a repeated grant moves
-- it forward. So all moments together bound the time from above; days on which something stands, the revokes before it,
-- and adjustments, which never repeat, bound it from below. A repeated revoke of a day alone may move its moment out of
-- the period, and nothing tells how late within it the first one was: the period's end is then the bound from above.
local function sumOf(board)
  local sum, latest, first, isOpen, isEndUnknown = 0, nil, 0, false, false
  local lastTick = board[AUDITED.lastElapsed]
  local function noLaterThan(ms)
    local elapsed = ticksOf(board, ms)
    if elapsed >= 0 and elapsed <= lastTick and (not latest or elapsed > latest) then latest = elapsed end
  end
  local function noEarlierThan(ms)
    local elapsed = ticksOf(board, ms)
    if elapsed > first and elapsed <= lastTick then first = elapsed end
  end
  for ledger = board[AUDITED.firstLedger], board[AUDITED.lastLedger] do
    local all = fieldsOf(ledger)
    for i = 1, #all, 2 do
      local field, value = all[i], longValue(all[i + 1], days[ledger])
      local points, version, granted, revoked, dayRevoked =
        string.match(value, '^(%d+)(v?%d*);(%d*)[^;]*;?(%d*)[^;]*;?(%d*)')
      points = tonumber(points) or 0
      if string.sub(field, 1, 7) == 'adjust:' then
        local change = board[AUDITED.isTally] == 1 and 0 or adjusted(value, board[AUDITED.name])
        sum = sum + change
        local ms = change ~= 0 and tonumber(granted)
        if ms then
          noLaterThan(ms)
          -- One of a day before, on a board that had no entry yet: the time is the period's last.
          if change > 0 and ticksOf(board, ms) > lastTick then latest = lastTick end
          if field ~= 'adjust:' then noEarlierThan(ms) end
        end
      elseif field ~= '' and startsWithOne(field, board[AUDITED.prefixes]) then
        local worth = board[AUDITED.isTally] == 0 and points or (points > 0 or version ~= '') and 1 or 0
        sum = sum + worth
        for _, ms in ipairs({ tonumber(granted) or 0, tonumber(revoked) or 0, tonumber(dayRevoked) or 0 }) do
          if ms > 0 then noLaterThan(ms) end
        end
        isEndUnknown = isEndUnknown or ticksOf(board, tonumber(dayRevoked) or 0) > lastTick
        -- Where another day's revoke may bring it to count, that one's moment is the time.
        if #spread > 0 and startsWithOne(field, spread) then
          isOpen = true
        elseif worth > 0 then
          noEarlierThan(starts[ledger])
          if points > 0 and tonumber(revoked) then noEarlierThan(tonumber(revoked)) end
          if points > 0 and tonumber(dayRevoked) then noEarlierThan(tonumber(dayRevoked)) end
        end
      end
    end
    -- Of what lies in pages the latest moments are known, whatever their fields begin with: bounds from above alone.
    local totals, latestPaged, latestRevoked = totalsOf(ledger)
    for i = 1, #totals, 3 do
      if startsWithOne(totals[i], board[AUDITED.prefixes]) then
        sum = sum + (board[AUDITED.isTally] == 1 and totals[i + 1] or totals[i + 2])
        if latestPaged then noLaterThan(latestPaged) end
        if latestRevoked then noLaterThan(latestRevoked) end
        isEndUnknown = isEndUnknown or ticksOf(board, latestRevoked or 0) > lastTick
        if #spread > 0 and startsWithOne(totals[i], spread) then
          isOpen = true
        elseif totals[i + 1] > 0 then
          noEarlierThan(starts[ledger])
        end
      end
    end
  end
  -- What ledgers said that are gone, nobody knows.
  if isOpen or isEndUnknown or board[AUDITED.comparison] == COMPARISON.atLeast or not latest then
    return sum, { first = isOpen and 0 or first, last = lastTick, latest = latest }
  end
  return sum, { first = math.min(first, latest), last = latest, latest = latest }
end

-- The bound that an entry's time passes, in ticks, if any.
local function boundPassed(board, entry, times)
  local elapsed = elapsedOf(board, entry)
  return elapsed < times.first and times.first or elapsed > times.last and times.last or nil
end
