-- Finds the distinct scores ahead of given ones, for dense ranks.
-- KEYS[1..] parts   sorted sets: parts of one board; several only where one Redis holds them all
-- ARGV[1] order   desc | asc
-- ARGV[2] grouping   score | prefix: what two entries of equal scores have in common
-- ARGV[3] size   score: the raw scores that lie in one score, 0 where each is its own; prefix: its length in bytes
-- ARGV[4] reply   count | list
-- ARGV[5..] bounds   raw scores (prefix: prefixes) of the best entry their scores can have, best first
-- Returns for `count` (one part only) the number of distinct scores ahead of each bound; for `list` those ahead of the
-- last bound, part after part: raw scores divided by size (prefix: prefixes), which the caller unites.
-- Cost: O(log N) for each distinct score ahead of the last bound.
local call = redis.call
-- @include lines
-- @include ahead
local byPrefix, size, counting = ARGV[2] == 'prefix', tonumber(ARGV[3]), ARGV[4] == 'count'

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

local function standsBefore(line, bound)
  if byPrefix then return standsAhead(line[1], bound) end
  local score, limit = tonumber(line[2]), tonumber(bound)
  if descending then return score > limit end
  return score < limit
end

local replies = {}
for k = 1, #KEYS do
  local key = KEYS[k]
  local edge = byPrefix and (descending and '+' or '-') or (descending and '+inf' or '-inf')
  local following = byPrefix and nextByPrefix or nextByScore
  local line, b, distinct = following(key, edge), 5, 0
  while b <= #ARGV do
    if line[1] and standsBefore(line, ARGV[b]) then
      local group
      group, edge = groupOf(line)
      distinct = distinct + 1
      if not counting then replies[#replies + 1] = group end
      line = following(key, edge)
    else
      if counting then replies[#replies + 1] = distinct end
      b = b + 1
    end
  end
end
return replies
