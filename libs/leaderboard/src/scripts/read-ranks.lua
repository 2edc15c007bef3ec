-- Reads the ranks of several members in one call.
-- KEYS[1..] parts   sorted sets: all parts of one board; several only where one Redis holds them all
-- ARGV[1] order   desc | asc
-- ARGV[2] floor   entries of lower scores do not exist; -inf: all do
-- ARGV[3] size   the raw scores that lie in one score, 0 where each is its own: equals share a rank; -1: none do
-- ARGV[4..] members   two values each: the number of its part, from 1, and the member
-- Returns for each member how many entries stand ahead of it, or of all that share its score; nil where it is missing.
-- Cost: for each member O(log N) on each part.
local call = redis.call
-- @include lines
-- @include ahead
local floor, size = tonumber(ARGV[2]), tonumber(ARGV[3])

-- The best raw score that shares the member's.
local function bestOf(score)
  if size == 0 then return score end
  local points = math.floor(tonumber(score) / size)
  return string.format('%.0f', descending and (points + 1) * size - 1 or points * size)
end

local ranks = {}
for i = 4, #ARGV, 2 do
  local own, member = tonumber(ARGV[i]), ARGV[i + 1]
  local score, ahead = call('ZSCORE', KEYS[own], member), false
  if score and tonumber(score) >= floor then
    ahead = 0
    for k = 1, #KEYS do
      if size >= 0 then
        ahead = ahead + aheadOf(KEYS[k], bestOf(score), '(')
      elseif k == own then
        ahead = ahead + call(descending and 'ZREVRANK' or 'ZRANK', KEYS[k], member)
      else
        ahead = ahead + aheadOf(KEYS[k], score, '<' .. member)
      end
    end
  end
  ranks[#ranks + 1] = ahead
end
return ranks
