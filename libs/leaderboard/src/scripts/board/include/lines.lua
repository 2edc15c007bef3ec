-- Which way a shard is read, by the first argument.
local descending = ARGV[1] == 'desc'

-- `count` lines from `index` on: element, score, element, score...
local function linesFrom(key, index, count)
  if descending then return call('ZRANGE', key, index, index + count - 1, 'REV', 'WITHSCORES') end
  return call('ZRANGE', key, index, index + count - 1, 'WITHSCORES')
end
