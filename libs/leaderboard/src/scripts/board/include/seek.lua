-- Finds in the merged order of all shards the entry that has `offset` entries ahead of it, without reading those: a
-- shard's own entry near the expected place is counted on all shards, which brackets the place, until it is near. Of
-- each shard only the entries from lows[k] to before highs[k] count, and lows moves up to what is sure to stand ahead
-- of the entry.
-- Returns how many entries are then still missing, at most `tolerance`. There must be an entry at the offset, or offset
-- entries in all. Changes highs too. Needs lines.lua and ahead.lua before it.
local function seek(lows, highs, offset, tolerance)
  local floor, min, max = math.floor, math.min, math.max
  local wanted, passed, open = offset, 0, 0
  for k = 1, #lows do
    wanted, passed, open = wanted + lows[k], passed + lows[k], open + highs[k] - lows[k]
  end
  while wanted - passed > tolerance do
    local shard = 1
    for k = 2, #lows do
      if highs[k] - lows[k] > highs[shard] - lows[shard] then shard = k end
    end
    -- A little ahead of the place: an entry that turns out to stand behind it brackets, but is no start.
    local share = min((wanted - passed - tolerance / 2) / open, 1)
    local index = min(lows[shard] + floor((highs[shard] - lows[shard]) * share), highs[shard] - 1)
    local line = linesFrom(KEYS[shard], index, 1)
    local counts, ahead = {}, 0
    for k = 1, #lows do
      counts[k] = k == shard and index or aheadOf(KEYS[k], line[2], '<' .. line[1])
      ahead = ahead + counts[k]
    end
    if ahead < wanted then counts[shard] = index + 1 end
    passed, open = 0, 0
    for k = 1, #lows do
      if ahead > wanted then highs[k] = min(highs[k], counts[k]) else lows[k] = max(lows[k], counts[k]) end
      passed, open = passed + lows[k], open + highs[k] - lows[k]
    end
  end
  return wanted - passed
end
