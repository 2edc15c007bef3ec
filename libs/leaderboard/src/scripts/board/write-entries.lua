-- Writes entries of one shard of a board, line by line: all of them, or none where one is out of the layout's range.
-- KEYS[1] shard   sorted set
-- KEYS[2] expiry   string: the moment in ms at which the board expires, where one is set
-- KEYS[3]? vectors   hash of a lexical board: member -> vector; else left out
-- ARGV[1] order   desc | asc
-- ARGV[2] update   set | increment | best: the score given, added to the present one, or the better of the two
-- ARGV[3] layout   plain | packed | lexical
-- ARGV[4] shape   packed: raw scores a point has; lexical: + for each dimension that runs with the order, else -
-- ARGV[5] maxPoints   packed: the most points it holds
-- ARGV[6] limit   keep the best so many of this shard; 0: all
-- ARGV[7] only   any | better | different | present | absent | =S: a line is written only where its score becomes
--     better, or another, or its member is there, or is not, or has the score S (packed: points; lexical: a vector);
--     who is not there has no score yet that would be as good, or the same
-- ARGV[8..] lines   three values each: member, score (packed: points; lexical: a vector), time (packed: the ticks since
--     its start)
-- Returns 0, each line's raw score (lexical: vector; nil: no entry) after it, the numbers of the lines that were not
--     written, and 1 where more entries are to fall off than one call removes, else 0; or only the number of the line
--     that is out of range.
-- Cost: O(log N) a line; with a limit, O(log N) for each entry that falls off.
local call = redis.call
-- @include vector
-- @include remove-ranks
local shard, firstLine, mostFalling = KEYS[1], 8, 2000
local descending, update, layout, shape = ARGV[1] == 'desc', ARGV[2], ARGV[3], ARGV[4]
local unit, maxPoints, limit, only = tonumber(shape), tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
local vectors = layout == 'lexical' and KEYS[3]
local expected = string.byte(only) == 61 and string.sub(only, 2)
if expected and not vectors then expected = tonumber(expected) end

-- 17 digits tell all doubles apart; whole numbers are written four times as fast without them.
local function exact(number)
  if number % 1 == 0 and number <= 2 ^ 53 and number >= -2 ^ 53 then return string.format('%d', number) end
  return string.format('%.17g', number)
end

local function better(a, b)
  if descending then return a > b end
  return a < b
end

-- Each gives the score that a line makes of the present one (nil: none), or nil where it is out of range. `best` is
-- told from `set` below.
local write = {}

function write.plain(old, score)
  score = tonumber(score)
  if old and update == 'increment' then score = old + score end
  -- Neither infinite nor none.
  if score - score ~= 0 then return nil end
  return score == 0 and 0 or score
end

function write.packed(old, points, elapsed)
  elapsed = tonumber(elapsed)
  local time = descending and unit - 1 - elapsed or elapsed
  local before = old and math.floor(old / unit)
  if update ~= 'increment' then
    -- What leaves the points leaves their moment.
    if before == tonumber(points) then return old end
    return tonumber(points) * unit + time
  end
  local sum = (before or 0) + tonumber(points)
  if sum == before then return old end
  if sum < 0 then return nil end
  -- Who has more than the board takes may lose points, and gains none.
  if sum > maxPoints and sum > (before or 0) then return nil end
  -- The time never moves back: the later of the two moments.
  if old then time = descending and math.min(time, old % unit) or math.max(time, old % unit) end
  return sum * unit + time
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
  if old and update == 'increment' then return addVectors(old, vector, shape) end
  return vector
end

-- A score without the moment that it was reached at.
local function timeless(score)
  return layout == 'packed' and math.floor(score / unit) or score
end

-- Whether a score is better than another, moments left aside.
local function improves(new, old)
  if vectors then return vectorsBetter(new, old) end
  return better(timeless(new), timeless(old))
end

-- All members are read at once and written at once, however many lines name them.
local before, after, touched, exists = {}, {}, {}, false
for i = firstLine, #ARGV, 3 do
  local member = ARGV[i]
  if before[member] == nil then
    before[member] = false
    touched[#touched + 1] = member
  end
end
if #touched > 0 and (layout ~= 'plain' or update ~= 'set' or only ~= 'any') then
  local found = vectors and call('HMGET', vectors, unpack(touched)) or call('ZMSCORE', shard, unpack(touched))
  for i = 1, #touched do
    local score = vectors and found[i] or tonumber(found[i])
    if score then
      before[touched[i]], after[touched[i]], exists = score, score, true
    end
  end
end

local scores, unwritten = {}, {}
for i = firstLine, #ARGV, 3 do
  local member = ARGV[i]
  local number, old = (i - firstLine) / 3 + 1, after[member]
  local holds = not (only == 'present' and not old) and not (only == 'absent' and old)
  if expected then holds = old and timeless(old) == expected end
  if holds then
    local score = write[layout](old, ARGV[i + 1], ARGV[i + 2])
    if score == nil then return { number } end
    holds = not (old and (only == 'better' or update == 'best')) or improves(score, old)
    if old and only == 'different' then holds = holds and timeless(score) ~= timeless(old) end
    if holds then after[member] = score end
  end
  scores[number] = after[member] and (vectors and after[member] or exact(after[member])) or false
  if not holds then unwritten[#unwritten + 1] = number end
end

local isNew = not exists and call('EXISTS', shard) == 0
local entries, gone, fresh = {}, {}, {}
for i = 1, #touched do
  local member = touched[i]
  local score = after[member]
  if score and score ~= before[member] then
    if vectors then
      if before[member] then gone[#gone + 1] = before[member] .. member end
      fresh[#fresh + 1] = member
      fresh[#fresh + 1] = score
    end
    entries[#entries + 1] = vectors and 0 or exact(score)
    entries[#entries + 1] = vectors and score .. member or member
  end
end
-- Added before others are taken away: a shard that is empty in between is no key, and on a Cluster a script that meets
-- a missing key of a slot on its way is broken off halfway.
if #entries > 0 then call('ZADD', shard, unpack(entries)) end
if #gone > 0 then call('ZREM', shard, unpack(gone)) end
if #fresh > 0 then call('HSET', vectors, unpack(fresh)) end

local surplus = limit > 0 and call('ZCARD', shard) - limit or 0
if surplus > 0 then
  local falling = math.min(surplus, mostFalling)
  local first, last = 0, falling - 1
  if not descending then first, last = -falling, -1 end
  removeRanks(shard, first, last, vectors, vectors and #shape * lettersADouble)
end

if isNew then
  local expiry = call('GET', KEYS[2])
  if expiry then
    call('PEXPIREAT', shard, expiry)
    if vectors then call('PEXPIREAT', vectors, expiry) end
  end
end
return { 0, scores, unwritten, surplus > mostFalling and 1 or 0 }
