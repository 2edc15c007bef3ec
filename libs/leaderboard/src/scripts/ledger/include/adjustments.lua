-- An adjustment is a field of its day's ledger that begins with `adjust:`: `points;moment;;;asked;changes;note`, where
-- points are 0 unless it adds some, and changes are what it did on each board by name, `day=-5,month=-50`. What was
-- applied once is remembered beside the ledgers, whatever its day: field -> `day;changes`.
--
-- The field `adjust:` itself, without an id, gives back: points that an adjustment had taken and whose grants were
-- revoked after that were taken twice. So a board is always the sum of its ledgers' points and of the changes of their
-- adjustments.

-- By members' numbers, whether points below zero were ever granted to them: then a board may have less than nothing.
-- What was applied says so under `-`.
local lowered = {}

-- The adjustments that were applied to a member; the key has the tag of the member's boards.
local function appliedTo(b, m)
  return string.match(KEYS[b], '^{[^}]*}:') .. 'adjusted:' .. names[m]
end

local function isLowered(b, m)
  if lowered[m] == nil then lowered[m] = call('HEXISTS', appliedTo(b, m), '-') == 1 end
  return lowered[m]
end

local function lower(m, applied)
  if lowered[m] then return end
  lowered[m] = true
  call('HSET', KEYS[others + applied], '-', '0;')
end

-- Whether an entry has lost bits of its time, as include/packed.lua says, that it has room for once it has lost points.
local function hasLostTime(b, score, points)
  local unit = boards[b][BOARD.unit]
  local sum = score - score % unit
  return (sum >= mostExact or sum <= -mostExact) and math.abs(sum + points * unit) < math.abs(sum)
end

-- The latest tick of an entry, of include/times-left.lua.
local latestOn

-- Adds points on each board of the group, or takes what is there of them; once a field.
local function adjust(group, m, place, field, points, ms, extra)
  local applied = KEYS[others + extra.applied]
  local before = call('HGET', applied, field)
  if before then return OUTCOME.duplicate, 0, string.match(before, ';(.*)$') or '' end
  if points > 0 and not fits(group, m, points) then return OUTCOME.outOfRange, 0, 0 end
  local nameOf, texts, changeOf, most, ticks = {}, {}, {}, 0, {}
  for i, b in ipairs(group[GROUP.allBoards] or group[GROUP.boards]) do
    nameOf[b] = extra.names[i]
  end
  for _, b in ipairs(group[GROUP.boards]) do
    local change = points
    if points < 0 then change = 0 - math.max(0, math.min(-points, math.floor((scoreOn(b, m) or 0) / boards[b][BOARD.unit]))) end
    changeOf[b] = change
    local board, score = boards[b], scoreOn(b, m)
    if score and hasLostTime(b, score, change) then
      local tick, isUntold = latestOn(b, place, {}, false)
      local own = change > 0 and tickIn(ms, board[BOARD.originMs], board[BOARD.tickMs], board[BOARD.lastElapsed])
      ticks[b] = not isUntold and (tick and own and math.max(tick, own) or tick or own) or nil
    end
    if math.abs(change) > math.abs(most) then most = change end
    texts[#texts + 1] = nameOf[b] .. '=' .. string.format('%.0f', change)
  end
  local changes, given = table.concat(texts, ','), points > 0 and points or 0
  local text = string.format('%.0f', given) .. (given > 0 and plan[PLAN.version] or '') .. ';' .. extra.moment
  call('HSET', KEYS[others + place], field, text .. ';;;' .. string.format('%.0f', points) .. ';' .. changes .. ';' .. extra.note)
  call('HSET', applied, field, string.format('%.0f', group[GROUP.day]) .. ';' .. changes)
  for b, change in pairs(changeOf) do
    -- What it takes stands no less for that: only what it adds has a moment.
    if change ~= 0 then move({ [GROUP.boards] = { b } }, m, change, change > 0 and ms, 0) end
    if ticks[b] then setTime(b, m, ticks[b]) end
  end
  keepLedger(group, place, m)
  return most > 0 and OUTCOME.granted or most < 0 and OUTCOME.revoked or OUTCOME.notGranted, most, changes
end

-- Notes in a ledger what the last move was to take and did not find. A board's name is read from its key.
local function giveBack(ledger, moment)
  local text = call('HGET', ledger, 'adjust:')
  local sums, texts = {}, {}
  for name, points in string.gmatch(text and string.match(text, ';;;0;(.*);$') or '', '([^=,]+)=(%d+)') do
    sums[name] = tonumber(points)
  end
  for b, points in pairs(shortfalls) do
    local name = string.match(KEYS[b], '^{[^}]*}:%a+:([^:]*):')
    sums[name] = (sums[name] or 0) + points
  end
  for name, points in pairs(sums) do
    texts[#texts + 1] = name .. '=' .. string.format('%.0f', points)
  end
  table.sort(texts)
  call('HSET', ledger, 'adjust:', '0;' .. moment .. ';;;0;' .. table.concat(texts, ',') .. ';')
  shortfalls = nil
end
