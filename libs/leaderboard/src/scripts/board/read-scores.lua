-- Reads members' scores.
-- KEYS[1..] shards   sorted sets: shards of one board; of a lexical board the hashes of member -> vector
-- ARGV[1] command   ZSCORE; of hashes HGET
-- ARGV[2..] members   two values each: the number of its shard, from 1, and the member
-- Returns the score (lexical: vector) of each, nil where it is missing.
-- Cost: O(1) a member.
local found = {}
for i = 2, #ARGV, 2 do
  found[#found + 1] = redis.call(ARGV[1], KEYS[tonumber(ARGV[i])], ARGV[i + 1])
end
return found
