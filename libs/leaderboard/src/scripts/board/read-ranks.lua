-- Reads several members' scores, and how many stand ahead of them, at one moment.
-- KEYS[1..] shards   sorted sets: shards of one board; of a lexical board then their hashes of member -> vector
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] size   the raw scores that lie in one score, 0 where each is its own: equals share a rank; -1: none do
-- ARGV[4] most   more than this score counts as it, and less than as much below zero likewise; +inf: none does
-- ARGV[5] count   how many shards there are
-- ARGV[6] among   all: entries of all these shards are counted; own: of the member's own shard alone
-- ARGV[7..] members   two values each: the number of its shard, from 1, and the member
-- Returns for each member its score (lexical: vector), and how many entries stand ahead of it, or of all that share its
--     score; twice nil where it is missing.
-- Cost: for each member O(log N) on each shard counted; O(log N * log E) where E entries share its score and none its
--     rank.
local call = redis.call
-- @include lines
-- @include ahead
local floor, size, most, shards = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local amongAll = ARGV[6] == 'all'

-- The bound ahead of all that share the member's score.
local function beforeEquals(score, vector)
  if vector then
    -- Elements are longer than their vector, and smaller than the next text of its length.
    if descending then vector = string.sub(vector, 1, -2) .. string.char(byte(vector, -1) + 1) end
    return 0, '<' .. vector
  end
  if size == 0 then return score, '(' end
  local points = math.max(-most, math.min(most, math.floor(tonumber(score) / size)))
  if points == (descending and most or -most) then return descending and '+inf' or '-inf', '(' end
  return string.format('%.0f', descending and (points + 1) * size - 1 or points * size), '('
end

local replies = {}
for i = 7, #ARGV, 2 do
  local own, member = tonumber(ARGV[i]), ARGV[i + 1]
  local vector, score, element = false, false, member
  if #KEYS > shards then
    vector = call('HGET', KEYS[shards + own], member)
    if vector then score, element = '0', vector .. member end
  else
    score = call('ZSCORE', KEYS[own], member)
  end
  local ahead = false
  if score and tonumber(score) >= floor then
    ahead = 0
    local limit, place = score, '<' .. element
    if size >= 0 then limit, place = beforeEquals(score, vector) end
    for k = amongAll and 1 or own, amongAll and shards or own do
      if size < 0 and k == own then
        ahead = ahead + call(descending and 'ZREVRANK' or 'ZRANK', KEYS[k], element)
      else
        ahead = ahead + aheadOf(KEYS[k], limit, place)
      end
    end
  end
  replies[#replies + 1] = ahead and (vector or score)
  replies[#replies + 1] = ahead
end
return replies
