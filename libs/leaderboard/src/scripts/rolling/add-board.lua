-- Adds a page of one packed board's entries to those of another: points are summed, of two moments the later stays.
-- KEYS[1] source   sorted set
-- KEYS[2] target   sorted set, in a layout of its own
-- KEYS[3] windows   sorted set: the names of windows, and of what they are made from, by the moment at which they are
--     gone
-- ARGV[1] start   the place in the source at which the page begins, from 0
-- ARGV[2] count   how many entries it has
-- ARGV[3] sourceOriginMs   moments of the source count from here ...
-- ARGV[4] sourceTickMs   ... in ticks of so many milliseconds
-- ARGV[5] sourceUnit   scores of the source that a point has
-- ARGV[6] targetOriginMs   as of the source
-- ARGV[7] targetTickMs   as of the source
-- ARGV[8] targetUnit   as of the source
-- ARGV[9] ttlMs   how long the target is kept from now on
-- Returns how many entries the page had, fewer than asked for at the end.
-- Cost: O(count log N), about 3 us an entry.
-- @include list-window
local floor, max = math.floor, math.max
local start, count = tonumber(ARGV[1]), tonumber(ARGV[2])
local sourceOriginMs, sourceTickMs, sourceUnit = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local targetOriginMs, targetTickMs, targetUnit = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])

local page = redis.call('ZRANGE', KEYS[1], start, start + count - 1, 'WITHSCORES')
if #page == 0 then return 0 end
local members = {}
for i = 1, #page, 2 do
  members[#members + 1] = page[i]
end
local present = redis.call('ZMSCORE', KEYS[2], unpack(members))

local lines, n = {}, 0
for i = 1, #members do
  local score, old = tonumber(page[2 * i]), tonumber(present[i])
  local atMs = sourceOriginMs + (sourceUnit - 1 - score % sourceUnit) * sourceTickMs
  local elapsed, points = max(0, floor((atMs - targetOriginMs) / targetTickMs)), floor(score / sourceUnit)
  if old then
    elapsed = max(elapsed, targetUnit - 1 - old % targetUnit)
    points = points + floor(old / targetUnit)
  end
  local sum, time, form = points * targetUnit, targetUnit - 1 - elapsed, '%d'
  -- Doubles tell all whole numbers to 2^53. Beyond that, above zero and below, points stay exact, and whenever they
  -- double the time loses its last bit: of the ticks that are left it is the first that is no earlier.
  if math.abs(sum) >= 2 ^ 53 then
    local _, exponent = math.frexp(sum)
    time, form = time - time % 2 ^ (exponent - 53), '%.0f'
  end
  lines[n + 1], lines[n + 2] = string.format(form, sum + time), members[i]
  n = n + 2
end
redis.call('ZADD', KEYS[2], unpack(lines))
redis.call('PEXPIRE', KEYS[2], ARGV[9])
if start == 0 then listWindow(KEYS[3], KEYS[2], ARGV[9]) end
return #members
