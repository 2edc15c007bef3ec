-- By board, the points that the last move was to take and did not find: an adjustment had taken them. Nil: none, usually.
local shortfalls

-- The place in KEYS of the set beside a board.
local function besideOf(b)
  return marks - 3 - #boards + b
end

-- Who has events in this call is known; a day that only a revoke looks back to is read when it is found to change.
local function scoreOn(b, m)
  local score = moved[b][m] or found[b][m]
  if score == nil then
    score = tonumber(call('ZSCORE', KEYS[b], names[m])) or false
    if not score and isAside[m] ~= nil then score = tonumber(call('ZSCORE', KEYS[besideOf(b)], names[m])) or false end
    found[b][m] = score
  end
  return score
end

-- Reads the member's entries on the boards of a group, as far as they are not known.
local function lookUp(group, m)
  for i = 1, #group[3] do
    scoreOn(group[3][i], m)
  end
end

-- Whether `points` more fit on every board of the group.
local function fits(group, m, points)
  local onBoards = group[3]
  for i = 1, #onBoards do
    local b = onBoards[i]
    local worth = boards[b][9] and 1 or points
    if (scoreOn(b, m) or 0) + worth * boards[b][3] >= boards[b][5] then return false end
  end
  return true
end

-- Adds `points` (of either sign, or 0), on tallies `grants` instead, to the member's entry on each board of the group, and moves its time forward to
-- `ms`, never back. A moment outside a board's period, of a revoke after its end, leaves the time there as it is.
-- An entry whose points are 0 stays in the set, below every entry that shows, for the sake of its time alone.
local function move(group, m, points, ms, grants)
  local onBoards = group[3]
  for i = 1, #onBoards do
    local b = onBoards[i]
    local board, score = boards[b], moved[b][m] or found[b][m]
    if score == nil then score = scoreOn(b, m) end
    local unit, tick, since, points = board[3], board[2], ms - board[1], board[9] and (grants or 0) or points
    local elapsed = (since - since % tick) / tick
    local inside = elapsed >= 0 and elapsed <= board[4]
    local after = score
    if score then
      local time = score % unit
      local sum = score - time + points * unit
      if sum < 0 then
        shortfalls = shortfalls or {}
        shortfalls[b] = -sum / unit
        sum = 0
      end
      if inside and unit - 1 - elapsed < time then time = unit - 1 - elapsed end
      after = sum + time
    elseif inside or points > 0 then
      if not inside then elapsed = elapsed < 0 and 0 or board[4] end
      after = (points > 0 and points or 0) * unit + unit - 1 - elapsed
    end
    if after ~= score then moved[b][m] = after end
  end
end

-- A grant of no points, or its end, moves tallies alone.
local function moveTallies(group, m, ms, grants)
  local tallies = {}
  for _, b in ipairs(group[3]) do
    if boards[b][9] then tallies[#tallies + 1] = b end
  end
  if #tallies > 0 then move({ [3] = tallies }, m, 0, ms, grants) end
end
