-- By board, the points that the last move should take and did not find, as an adjustment had taken them. Nil, usually:
-- none. What of a change that leads below zero is missing so, adjustments.lua says.
local shortfalls, missingOf

-- The position in KEYS of the set of a board's excluded members.
local function excludedBoard(b)
  return marks - 3 - #boards + b
end

-- Who has events in this call is known; a day that only a revoke looks back to is read when it is found to change.
local function scoreOn(b, m)
  local score = moved[b][m] or found[b][m]
  if score == nil then
    score = tonumber(call('ZSCORE', KEYS[b], names[m])) or false
    if not score and isExcluded[m] ~= nil then score = tonumber(call('ZSCORE', KEYS[excludedBoard(b)], names[m])) or false end
    found[b][m] = score
    if score and (score >= mostExact or score <= -mostExact) then isRoomy = false end
  end
  return score
end

-- Reads the member's entries on the boards of a group, as far as they are not known.
local function lookUp(group, m)
  for i = 1, #group[GROUP.boards] do
    scoreOn(group[GROUP.boards][i], m)
  end
end

-- Whether doubles tell `points` more, or fewer, exactly on every board of the group.
local function fits(group, m, points)
  local onBoards = group[GROUP.boards]
  for i = 1, #onBoards do
    local b = onBoards[i]
    local worth = boards[b][BOARD.isTally] and 1 or points
    local sum = math.floor((scoreOn(b, m) or 0) / boards[b][BOARD.unit]) + worth
    if sum >= mostExact or sum <= -mostExact then return false end
  end
  return true
end

-- Adds `points` (of either sign, or 0), or `grants` on tallies, to the member's entry on each board of the group, and
-- moves its time forward to `ms`, if there is one, never back. An adjustment's moment may lie outside a board's period:
-- then the period's first or last tick is the time there.
local function move(group, m, points, ms, grants)
  local onBoards = group[GROUP.boards]
  for i = 1, #onBoards do
    local b = onBoards[i]
    local board, score = boards[b], moved[b][m] or found[b][m]
    if score == nil then score = scoreOn(b, m) end
    local unit, tick, worth = board[BOARD.unit], board[BOARD.tickMs], board[BOARD.isTally] and (grants or 0) or points
    local time = score and score % unit or unit - 1
    local sum = (score and score - time or 0) + worth * unit
    local missing = sum < 0 and worth < 0 and missingOf(b, m, -sum / unit, -worth, grants) or 0
    if missing > 0 then
      shortfalls = shortfalls or {}
      shortfalls[b] = missing
      sum = sum + missing * unit
    end
    if ms then
      local since, most = ms - board[BOARD.originMs], board[BOARD.lastElapsed]
      local elapsed = (since - since % tick) / tick
      if elapsed > most then elapsed = most end
      if unit - 1 - elapsed < time then time = unit - 1 - elapsed end
    end
    local after = sum + time
    if sum >= mostExact or sum <= -mostExact then
      after, isRoomy = packed(sum, time), false
    end
    if (score or sum ~= 0) and after ~= score then moved[b][m] = after end
  end
end

-- Sets an entry's time to a tick; false: as it is. An entry without points leaves the set, unless something stands that
-- an adjustment took, or that others take away: the time is kept then.
local function setTime(b, m, tick)
  local score, unit = moved[b][m] or found[b][m], boards[b][BOARD.unit]
  if not score then return end
  if tick then
    moved[b][m] = packed(score - score % unit, unit - 1 - tick)
  elseif score >= 0 and score < unit then
    found[b][m], moved[b][m] = false, false
  end
end

-- A grant of no points, or its end, moves tallies alone.
local function moveTallies(group, m, ms, grants)
  local tallies = {}
  for _, b in ipairs(group[GROUP.boards]) do
    if boards[b][BOARD.isTally] then tallies[#tallies + 1] = b end
  end
  if #tallies > 0 then move({ [GROUP.boards] = tallies }, m, 0, ms, grants) end
end
