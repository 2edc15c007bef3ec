-- How many entries of the shard `key` stand ahead of a bound: a score, and what of equal scores is ahead of it:
--   "("          nothing
--   "["          everything
--   "<element"   what stands ahead of that element
--   "=element"   what stands ahead of that element, and the element itself
-- Strings are compared byte by byte: Lua's own `<` goes by the server's locale, Redis' order does not.
-- Needs lines.lua before it.
local byte = string.byte

local function bytesBefore(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = byte(a, i), byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end

local function standsAhead(a, b)
  if descending then return bytesBefore(b, a) end
  return bytesBefore(a, b)
end

-- The first entry whose score is not ahead of this one, and its score.
local function firstFrom(key, score)
  if descending then return call('ZRANGE', key, score, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, 1, 'WITHSCORES') end
  return call('ZRANGE', key, score, '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
end

local function aheadOf(key, score, place)
  local lines = firstFrom(key, score)
  local first = lines[1]
  if not first then return call('ZCARD', key) end
  local better = call(descending and 'ZREVRANK' or 'ZRANK', key, first)
  local kind, element = string.sub(place, 1, 1), string.sub(place, 2)
  if kind == '(' or (kind == '<' and first == element) or tonumber(lines[2]) ~= tonumber(score) then return better end
  -- Of equal scores, it stands first: where it does not stand ahead of the element, none does.
  if kind ~= '[' and first ~= element and standsAhead(element, first) then return better end
  local equal = call('ZCOUNT', key, score, score)
  if kind == '[' then return better + equal end
  local including = kind == '='
  if equal == call('ZCARD', key) then
    local edge = (including and '[' or '(') .. element
    if descending then return call('ZLEXCOUNT', key, edge, '+') end
    return call('ZLEXCOUNT', key, '-', edge)
  end
  -- A bisection over the ranks of the equal ones: they may be a million.
  local low, high = better, better + equal
  while low < high do
    local middle = math.floor((low + high) / 2)
    local found = linesFrom(key, middle, 1)[1]
    if standsAhead(found, element) or (including and found == element) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end
