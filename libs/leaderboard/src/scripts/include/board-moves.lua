-- The boards' entries as this call finds and leaves them: scores[b][member] is the packed score, false where there is
-- none. Each board is read once and written once a call, however many transitions move it.
local scores, changed = {}, {}
-- By board, the points that the last move was to take and did not find: an adjustment had taken them. Nil: none, usually.
local shortfalls

-- Whoever is excluded, or on his way back, see excluded-members.lua: whether his entries belong beside the boards.
local isAside, hasAside = {}, false

-- The place in KEYS of the set beside a board.
local function besideOf(b)
  return #KEYS - 2 * #boards - 1 + b
end

local function loadScores()
  for b = 1, #boards do
    scores[b], changed[b] = {}, {}
  end
  for g = 1, #groups do
    local onBoards, members = groups[g][3], groups[g][4]
    for i = 1, #members > 0 and #onBoards or 0 do
      local found = call('ZMSCORE', KEYS[onBoards[i]], unpack(members))
      local known = scores[onBoards[i]]
      for m = 1, #members do
        known[members[m]] = tonumber(found[m]) or false
      end
    end
  end
end

-- Who has events in this call is known; a day that only a revoke looks back to is read when it is found to change.
local function scoreOn(b, member)
  local score = scores[b][member]
  if score == nil then
    score = tonumber(call('ZSCORE', KEYS[b], member)) or false
    if not score and isAside[member] ~= nil then score = tonumber(call('ZSCORE', KEYS[besideOf(b)], member)) or false end
    scores[b][member] = score
  end
  return score
end

-- Whether `points` more fit on every board of the group.
local function fits(group, member, points)
  local onBoards = group[3]
  for i = 1, #onBoards do
    local b = onBoards[i]
    local worth = boards[b][9] and 1 or points
    if (scoreOn(b, member) or 0) + worth * boards[b][3] >= boards[b][5] then return false end
  end
  return true
end

-- Adds `points` (of either sign, or 0), on tallies `grants` instead, to the member's entry on each board of the group, and moves its time forward to
-- `ms`, never back. A moment outside a board's period, of a revoke after its end, leaves the time there as it is.
-- An entry whose points are 0 stays in the set, below every entry that shows, for the sake of its time alone.
local function move(group, member, points, ms, grants)
  local onBoards = group[3]
  for i = 1, #onBoards do
    local b = onBoards[i]
    local board, score = boards[b], scoreOn(b, member)
    local unit, last, points = board[3], board[4], board[9] and (grants or 0) or points
    local elapsed = floor((ms - board[1]) / board[2])
    local inside = elapsed >= 0 and elapsed <= last
    local moved = score
    if score then
      local time = score % unit
      local sum = score - time + points * unit
      if sum < 0 then
        shortfalls = shortfalls or {}
        shortfalls[b] = -sum / unit
      end
      if inside and unit - 1 - elapsed < time then time = unit - 1 - elapsed end
      moved = (sum > 0 and sum or 0) + time
    elseif inside or points > 0 then
      if not inside then elapsed = elapsed < 0 and 0 or last end
      moved = (points > 0 and points or 0) * unit + unit - 1 - elapsed
    end
    if moved ~= score then
      scores[b][member] = moved
      changed[b][member] = moved
    end
  end
end

-- A grant of no points, or its end, moves tallies alone.
local function moveTallies(group, member, ms, grants)
  local tallies = {}
  for _, b in ipairs(group[3]) do
    if boards[b][9] then tallies[#tallies + 1] = b end
  end
  if #tallies > 0 then move({ [3] = tallies }, member, 0, ms, grants) end
end

-- Lists a part of a partitioned board among those of its period, which all expire at one moment.
local function listPart(b)
  local list = KEYS[#boards + boards[b][7]]
  if call('ZADD', list, 0, boards[b][8]) == 1 and boards[b][6] > 0 then call('PEXPIREAT', list, boards[b][6]) end
end

-- Writes an entry of one who is excluded, or on his way back, where it belongs; there is one of it at any time.
local function writeAside(b, member, score)
  local to, from = KEYS[besideOf(b)], KEYS[b]
  if not isAside[member] then to, from = from, to end
  call('ZREM', from, member)
  call('ZADD', to, string.format('%d', score), member)
  if boards[b][6] > 0 then call('PEXPIREAT', to, boards[b][6]) end
  if boards[b][7] then listPart(b) end
end

local function writeScores()
  for b = 1, #boards do
    local lines, n = {}, 0
    for member, score in pairs(changed[b]) do
      if hasAside and isAside[member] ~= nil then
        writeAside(b, member, score)
      else
        -- A third of the time that Redis would take to write the number itself; %d holds all 53 bits.
        lines[n + 1], lines[n + 2] = string.format('%d', score), member
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
