-- Finds the distinct scores of parts of a board that are ahead of a bound, for dense ranks: some of them in each call.
-- KEYS[1..] parts   sorted sets: parts of one board; several only where one Redis holds them all
-- ARGV[1] order   desc | asc
-- ARGV[2] grouping   score | prefix: what two entries of equal scores have in common
-- ARGV[3] size   score: the raw scores that lie in one score, 0 where each is its own; prefix: its length in bytes
-- ARGV[4] most   how many scores one call finds, of all parts together
-- ARGV[5] bound   raw score (prefix: prefix) of the best entry that the score behind the last wanted one can have
-- ARGV[6..] edges   of each part where to go on, as the call before returned it; empty: from its first entry on
-- Returns of each part three values: 1 where no other score of it is ahead of the bound, else 0; the edge behind the last score
-- found; and the scores found, best first: raw scores divided by size (prefix: prefixes).
-- Cost: O(log N) for each score found.
local call = redis.call
-- @include lines
-- @include ahead
local byPrefix, size, most, bound = ARGV[2] == 'prefix', tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]

-- Each returns the next line behind `edge`, nil at the end.
local function nextByScore(key, edge)
  if descending then return call('ZRANGE', key, edge, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, 1, 'WITHSCORES') end
  return call('ZRANGE', key, edge, '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
end

local function nextByPrefix(key, edge)
  if descending then return call('ZRANGE', key, edge, '-', 'BYLEX', 'REV', 'LIMIT', 0, 1) end
  return call('ZRANGE', key, edge, '+', 'BYLEX', 'LIMIT', 0, 1)
end

-- The group of a line, and the edge behind all lines of its group.
local function groupOf(line)
  if byPrefix then
    local prefix = string.sub(line[1], 1, size)
    if descending then return prefix, '(' .. prefix end
    return prefix, '(' .. string.sub(prefix, 1, -2) .. string.char(byte(prefix, -1) + 1)
  end
  if size == 0 then return line[2], '(' .. line[2] end
  local points = math.floor(tonumber(line[2]) / size)
  return string.format('%.0f', points), string.format('(%.0f', descending and points * size or (points + 1) * size - 1)
end

local function standsBefore(line)
  if byPrefix then return standsAhead(line[1], bound) end
  local score, limit = tonumber(line[2]), tonumber(bound)
  if descending then return score > limit end
  return score < limit
end

local first = byPrefix and (descending and '+' or '-') or (descending and '+inf' or '-inf')
local following = byPrefix and nextByPrefix or nextByScore
local replies, left = {}, most
for k = 1, #KEYS do
  local edge, groups, done = ARGV[5 + k], {}, 0
  if edge == '' then edge = first end
  while left > 0 do
    local line = following(KEYS[k], edge)
    if not line[1] or not standsBefore(line) then
      done = 1
      break
    end
    groups[#groups + 1], edge = groupOf(line)
    left = left - 1
  end
  replies[#replies + 1], replies[#replies + 2], replies[#replies + 3] = done, edge, groups
end
return replies
