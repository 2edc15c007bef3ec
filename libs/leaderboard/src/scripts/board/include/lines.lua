-- Which way a shard is read, by the first argument.
local descending = ARGV[1] == 'desc'

-- How many entries a shard has, those of lower scores than `floor` left out.
local function sizeOf(key, floor)
  return floor == '-inf' and call('ZCARD', key) or call('ZCOUNT', key, floor, '+inf')
end

-- `count` lines from `index` on: element, score, element, score...
local function linesFrom(key, index, count)
  if descending then return call('ZRANGE', key, index, index + count - 1, 'REV', 'WITHSCORES') end
  return call('ZRANGE', key, index, index + count - 1, 'WITHSCORES')
end
