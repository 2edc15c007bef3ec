-- Removes the entries of a shard from one rank to another, as ZREMRANGEBYRANK counts, with what lies beside them: their
-- vectors, `prefix` bytes before each member, and their last updates, where the board has such. Needs remove-all.lua
-- before it.
local function removeRanks(shard, first, last, vectors, prefix, updates)
  if vectors or updates then
    local members = call('ZRANGE', shard, first, last)
    for i = 1, #members do
      members[i] = string.sub(members[i], prefix + 1)
    end
    if vectors then removeAll('HDEL', 'HLEN', vectors, members) end
    if updates then removeAll('ZREM', 'ZCARD', updates, members) end
  end
  return call('ZREMRANGEBYRANK', shard, first, last)
end
