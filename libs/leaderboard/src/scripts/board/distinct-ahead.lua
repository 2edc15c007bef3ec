-- Finds the distinct scores of shards of a board that are ahead of a bound, for dense ranks: some of them in each call.
-- KEYS[1..] shards   sorted sets: shards of one board; several only where one Redis serves them all
-- ARGV[1] order   desc | asc
-- ARGV[2] grouping   score | prefix: what two entries of equal scores have in common
-- ARGV[3] size   score: the raw scores that lie in one score, 0 where each is its own; prefix: its length in bytes
-- ARGV[4] most   how many scores one call finds, of all shards together
-- ARGV[5] bound   raw score (prefix: prefix) of the best entry that the score behind the last wanted one can have
-- ARGV[6..] edges   of each shard where to go on, as the call before returned it; empty: from its first entry on
-- Returns for each shard: 1 where no other score of it is ahead of the bound, else 0; the edge behind the
--     last score found; and the scores found, best first: the raw score (prefix: the prefix) of an entry of each.
-- Cost: O(log N) for each score found, some 2 us.
local call, format, floor = redis.call, string.format, math.floor
-- @include lines
-- @include ahead
local byPrefix, size, most, bound = ARGV[2] == 'prefix', tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]

-- Each appends to `found` the scores of a shard behind `edge`, at most `left` of them, and returns the edge behind the
-- last, and whether no more are ahead of the bound.
local function findByScore(key, edge, found, left)
  local limit = tonumber(bound)
  for i = 1, left do
    local raw = firstFrom(key, edge)[2]
    local score = tonumber(raw)
    if not score or (descending and score <= limit) or (not descending and score >= limit) then return edge, true end
    found[i] = raw
    if size == 0 then
      edge = '(' .. raw
    else
      -- Raw scores that hold more than the score are whole.
      local points = floor(score / size)
      edge = format('(%.0f', descending and points * size or (points + 1) * size - 1)
    end
  end
  return edge, false
end

local function findByPrefix(key, edge, found, left)
  for i = 1, left do
    local element
    if descending then
      element = call('ZRANGE', key, edge, '-', 'BYLEX', 'REV', 'LIMIT', 0, 1)[1]
    else
      element = call('ZRANGE', key, edge, '+', 'BYLEX', 'LIMIT', 0, 1)[1]
    end
    if not element or not standsAhead(element, bound) then return edge, true end
    local prefix = string.sub(element, 1, size)
    found[i] = prefix
    if descending then
      edge = '(' .. prefix
    else
      edge = '(' .. string.sub(prefix, 1, -2) .. string.char(byte(prefix, -1) + 1)
    end
  end
  return edge, false
end

local first = byPrefix and (descending and '+' or '-') or (descending and '+inf' or '-inf')
local replies, left = {}, most
for k = 1, #KEYS do
  local edge, found, isDone = ARGV[5 + k], {}, false
  if edge == '' then edge = first end
  if left > 0 then
    edge, isDone = (byPrefix and findByPrefix or findByScore)(KEYS[k], edge, found, left)
    left = left - #found
  end
  replies[k] = { isDone and 1 or 0, edge, found }
end
return replies
