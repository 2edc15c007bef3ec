-- Removes what stands behind the best entries of a board on one Redis, from all its shards, some of it in each call.
-- KEYS[1..] stored   the shards' sorted sets; of a lexical board then their hashes of member -> vector; of a board
--     whose members expire then their sorted sets of member -> ms of its last update
-- ARGV[1] order   desc | asc
-- ARGV[2] limit   how many entries stay, from 1
-- ARGV[3] shards   how many shards there are
-- ARGV[4] prefix   the length of a vector; 0 where the layout has none
-- ARGV[5] most   how many entries one call removes at most
-- Returns how many were removed: where that is `most`, there may be more.
-- Cost: O(1) for each shard where there are not too many; else some ten rounds of O(log N) for each shard, and O(log N)
--     for each entry removed.
local call = redis.call
-- @include lines
-- @include ahead
-- @include seek
-- @include remove-all
-- @include remove-ranks
local limit, shards, prefix, most = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local lows, highs, sizes, total = {}, {}, {}, 0
for k = 1, shards do
  lows[k], sizes[k] = 0, call('ZCARD', KEYS[k])
  highs[k], total = sizes[k], total + sizes[k]
end
if total <= limit then return 0 end
seek(lows, highs, limit, 0)
local removed = 0
for k = 1, shards do
  local surplus = math.min(sizes[k] - lows[k], most - removed)
  if surplus > 0 then
    local first, last = sizes[k] - surplus, sizes[k] - 1
    if descending then first, last = 0, surplus - 1 end
    local vectors, updates = prefix > 0 and KEYS[shards + k], KEYS[(prefix > 0 and 2 or 1) * shards + k]
    removed = removed + removeRanks(KEYS[k], first, last, vectors, prefix, updates)
  end
end
return removed
