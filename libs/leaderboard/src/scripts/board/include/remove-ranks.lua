-- Removes some thousand entries of a shard at most, from one rank to another as ZREMRANGEBYRANK counts; of a lexical
-- board with their vectors, `prefix` bytes before each member.
local function removeRanks(shard, first, last, vectors, prefix)
  if vectors then
    local members = call('ZRANGE', shard, first, last)
    for i = 1, #members do
      members[i] = string.sub(members[i], prefix + 1)
    end
    call('HDEL', vectors, unpack(members))
  end
  return call('ZREMRANGEBYRANK', shard, first, last)
end
