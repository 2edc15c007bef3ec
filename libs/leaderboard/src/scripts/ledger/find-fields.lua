-- Finds fields of hashes of one shard by patterns, so many at a time that nobody waits for it long.
--
-- KEYS[1..] hashes
-- ARGV[1] atMost     fields to look at, about
-- ARGV[2] place      where the call before came to: a hash, ...
-- ARGV[3] pattern    ... a pattern ...
-- ARGV[4] cursor     ... and a cursor of HSCAN
-- ARGV[5..] patterns as MATCH of HSCAN has them
-- Returns flat, how far it came: place, pattern and cursor, the place beyond the last hash at the end; and of each
--   field found its hash's place, and the field. A field may come twice.
-- Cost: an HSCAN for each 1,000 fields and pattern; nothing else of them leaves the server.
local call, left, pattern, cursor = redis.call, tonumber(ARGV[1]), tonumber(ARGV[3]), ARGV[4]
local reply = { #KEYS + 1, 1, '0' }
for place = tonumber(ARGV[2]), #KEYS do
  local looks = math.min(call('HLEN', KEYS[place]), 1000) + 1
  while pattern <= #ARGV - 4 do
    if left <= 0 then
      reply[1], reply[2], reply[3] = place, pattern, cursor
      return reply
    end
    local found = call('HSCAN', KEYS[place], cursor, 'MATCH', ARGV[4 + pattern], 'COUNT', 1000)
    for i = 1, #found[2], 2 do
      reply[#reply + 1] = place
      reply[#reply + 1] = found[2][i]
    end
    cursor, left = found[1], left - looks
    if cursor == '0' then pattern = pattern + 1 end
  end
  pattern = 1
end
return reply
