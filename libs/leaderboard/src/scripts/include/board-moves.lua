-- The boards' entries by their members' places in `names`: found[b][m] is the packed score as this call finds it, false where
-- there is none, and moved[b][m] as it leaves it, where that differs. Each board is read once and written once a call, however
-- many transitions move it.
local found, moved = {}, {}
-- By board, the points that the last move was to take and did not find: an adjustment had taken them. Nil: none, usually.
local shortfalls

-- By members' places: whose entries belong beside the boards (true), or are on their way back; see excluded-members.lua.
local isAside, hasAside = {}, false

-- Whether every board has room for all points of this call, whoever they are for.
local isRoomy = true

-- The place in KEYS of the set beside a board.
local function besideOf(b)
  return marks - 2 - #boards + b
end

-- Reads a board's entries of the members with these places; without any, of all.
local function readScores(b, places)
  local asked = names
  if places then
    asked = {}
    for i = 1, #places do
      asked[i] = names[places[i]]
    end
  end
  if #asked == 0 then return end
  local scores, highest = call('ZMSCORE', KEYS[b], unpack(asked)), 0
  for i = 1, #scores do
    local score = scores[i]
    if score then
      -- Its text becomes a number.
      score = score + 0
      scores[i] = score
      if score > highest then highest = score end
    end
  end
  isRoomy = isRoomy and highest + mostPoints * boards[b][3] < boards[b][5]
  if not places then
    found[b] = scores
    return
  end
  for i = 1, #places do
    found[b][places[i]] = scores[i]
  end
end

local function loadScores()
  for b = 1, #boards do
    found[b], moved[b] = {}, {}
  end
  for g = 1, #groups do
    local onBoards, members = groups[g][3], groups[g][4]
    if members == 0 then
      for i = 1, #onBoards do
        readScores(onBoards[i])
      end
    elseif #members > 0 then
      for i = 1, #onBoards do
        readScores(onBoards[i], members)
      end
    end
  end
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

-- Lists a part of a partitioned board among those of its period, which all expire at one moment.
local function listPart(b)
  local list = KEYS[others + boards[b][7]]
  if call('ZADD', list, 0, boards[b][8]) == 1 and boards[b][6] > 0 then call('PEXPIREAT', list, boards[b][6]) end
end

-- Writes an entry of one who is excluded, or on his way back, where it belongs; there is one of it at any time.
local function writeAside(b, m, score)
  local to, from = KEYS[besideOf(b)], KEYS[b]
  if not isAside[m] then to, from = from, to end
  call('ZREM', from, names[m])
  call('ZADD', to, string.format('%d', score), names[m])
  if boards[b][6] > 0 then call('PEXPIREAT', to, boards[b][6]) end
  if boards[b][7] then listPart(b) end
end

local function writeScores()
  local format = string.format
  for b = 1, #boards do
    local lines, n, scores = {}, 0, moved[b]
    for m = 1, #names do
      local score = scores[m]
      if score and hasAside and isAside[m] ~= nil then
        writeAside(b, m, score)
      elseif score then
        -- A third of the time that Redis would take to write the number itself; %d holds all 53 bits.
        lines[n + 1], lines[n + 2] = format('%d', score), names[m]
        n = n + 2
      end
    end
    if n > 0 then
      local added = call('ZADD', KEYS[b], unpack(lines))
      -- The expiry is set with the first entry and never again.
      if added > 0 and boards[b][6] > 0 and call('PTTL', KEYS[b]) == -1 then call('PEXPIREAT', KEYS[b], boards[b][6]) end
      if added > 0 and boards[b][7] then listPart(b) end
    end
  end
end
