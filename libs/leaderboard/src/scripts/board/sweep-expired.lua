-- Removes the members of shards of a board that were not updated for too long. It stands before another script, which
-- then finds the board without them: both are one call, so that nothing comes between.
-- KEYS[1..] own   the keys of the script behind
-- KEYS[n..] swept   of each shard: its sorted set; member -> ms of its last update; of a lexical board its vectors
-- ARGV[1..] arguments   those of the script behind
-- ARGV[n..] sweep   four values: the keys that a shard has, 2 or with vectors 3; how many shards are swept; the moment,
--     in ms: who was updated then or before has expired; how many members one call removes at most
-- Returns the status MORE, to be called again, where still more have expired or a shard was emptied; else what the
--     script behind returns. It would meet keys that are gone, and on a Cluster a script that meets a missing key of a
--     slot on its way is broken off halfway; a call that begins with it is sent on.
-- Cost: O(log N) for each shard, and for each member removed.
do
  local call = redis.call
-- @include remove-all
-- @include elements-of
  local most, lastMs = tonumber(table.remove(ARGV)), table.remove(ARGV)
  local shards, width = tonumber(table.remove(ARGV)), tonumber(table.remove(ARGV))
  local again = false
  for _ = 1, shards do
    local vectors = width == 3 and table.remove(KEYS)
    local updates, shard = table.remove(KEYS), table.remove(KEYS)
    local expired = call('ZRANGE', updates, '-inf', lastMs, 'BYSCORE', 'LIMIT', 0, most + 1)
    local more = #expired > most
    if more then expired[#expired] = nil end
    if #expired > 0 then
      local elements = expired
      if vectors then
        local present
        elements, present = elementsOf(expired, vectors)
        removeAll('HDEL', 'HLEN', vectors, present)
      end
      local _, others = removeAll('ZREM', 'ZCARD', shard, elements)
      local _, updated = removeAll('ZREM', 'ZCARD', updates, expired)
      again = again or others == 0 or updated == 0
    end
    again = again or more
    most = most - #expired
    if more then break end
  end
  if again then return redis.status_reply('MORE') end
end
