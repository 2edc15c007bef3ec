-- Writes entries of one part of a board, line by line: all of them, or none where one is out of the layout's range.
-- KEYS[1] part   sorted set
-- KEYS[2] expiry   string: the moment in ms at which the board expires, where one is set
-- KEYS[3]? vectors   hash of a lexical board: member -> vector; else left out
-- ARGV[1] order   desc | asc
-- ARGV[2] update   set | increment | best: the score given, added to the present one, or the better of the two
-- ARGV[3] layout   plain | packed | lexical
-- ARGV[4] shape   packed: raw scores a point has; lexical: + for each dimension that runs with the order, else -
-- ARGV[5] maxPoints   packed: the most points it holds
-- ARGV[6] limit   keep the best so many of this part; 0: all
-- ARGV[7..] lines   three values each: member, score (packed: points; lexical: a vector), time (packed: the ticks since
--     its start)
-- Returns 0 and each line's raw score (lexical: vector) after it; or the number of the line that is out of range.
-- Cost: O(log N) a line; with a limit, O(log N) for each entry that falls off.
local call = redis.call
-- @include vector
local part, vectors = KEYS[1], KEYS[3]
local descending, update, layout, shape = ARGV[1] == 'desc', ARGV[2], ARGV[3], ARGV[4]
local unit, maxPoints, limit = tonumber(shape), tonumber(ARGV[5]), tonumber(ARGV[6])

-- 17 digits tell all doubles apart.
local function exact(number) return string.format('%.17g', number) end

local function better(a, b)
  if descending then return a > b end
  return a < b
end

-- Each gives the new score of a line, from the present one (nil: none), or nil where it is out of range.
local write = {}

function write.plain(old, score)
  score = tonumber(score)
  if old and update == 'increment' then score = old + score end
  if old and update == 'best' and not better(score, old) then return old end
  -- Neither infinite nor none.
  if score - score ~= 0 then return nil end
  return score == 0 and 0 or score
end

function write.packed(old, points, elapsed)
  points, elapsed = tonumber(points), tonumber(elapsed)
  local time = descending and unit - 1 - elapsed or elapsed
  if old and update ~= 'set' then
    local before = math.floor(old / unit)
    if update == 'best' then
      if not better(points, before) then return old end
    else
      if points == 0 then return old end
      points = before + points
      -- The time never moves back: the later of the two moments.
      time = descending and math.min(time, old % unit) or math.max(time, old % unit)
    end
  end
  if points < 0 or points > maxPoints then return nil end
  return points * unit + time
end

-- Vectors are letters of ASCII: bytes, whatever the locale.
local function vectorsBetter(a, b)
  for i = 1, #a do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return better(x, y) end
  end
  return false
end

function write.lexical(old, vector)
  if not old or update == 'set' then return vector end
  if update == 'increment' then return addVectors(old, vector, shape) end
  return vectorsBetter(vector, old) and vector or old
end

local before, after, touched = {}, {}, {}
local replies = { 0 }
for i = 7, #ARGV, 3 do
  local member = ARGV[i]
  if before[member] == nil then
    local found
    if vectors then found = call('HGET', vectors, member) else found = tonumber(call('ZSCORE', part, member)) end
    before[member], after[member] = found or false, found or nil
    touched[#touched + 1] = member
  end
  local score = write[layout](after[member], ARGV[i + 1], ARGV[i + 2])
  if score == nil then return { (i - 4) / 3 } end
  after[member] = score
  replies[#replies + 1] = vectors and score or exact(score)
end

local isNew = call('EXISTS', part) == 0
for i = 1, #touched do
  local member = touched[i]
  if after[member] == before[member] then
    -- nothing to write
  elseif vectors then
    if before[member] then call('ZREM', part, before[member] .. member) end
    call('ZADD', part, 0, after[member] .. member)
    call('HSET', vectors, member, after[member])
  else
    call('ZADD', part, exact(after[member]), member)
  end
end

local surplus = limit > 0 and call('ZCARD', part) - limit or 0
if surplus > 0 then
  local first, last = 0, surplus - 1
  if not descending then first, last = limit, -1 end
  if vectors then
    for _, element in ipairs(call('ZRANGE', part, first, last)) do
      call('HDEL', vectors, string.sub(element, #shape * lettersADouble + 1))
    end
  end
  call('ZREMRANGEBYRANK', part, first, last)
end

if isNew then
  local expiry = call('GET', KEYS[2])
  if expiry then
    call('PEXPIREAT', part, expiry)
    if vectors then call('PEXPIREAT', vectors, expiry) end
  end
end
return replies
