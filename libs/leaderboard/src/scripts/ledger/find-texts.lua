-- Finds fields of hashes of one shard that have one of some texts, in their names or in what they hold; so many at a
-- time that nobody waits for it long.
--
-- KEYS[1..] hashes
-- ARGV[1] atMost   bytes to look at, about
-- ARGV[2] place    where the call before came to: a hash, ...
-- ARGV[3] cursor   ... and a cursor of HSCAN
-- ARGV[4..] texts
-- Returns flat, how far it came: place and cursor, the place beyond the last hash at the end; and of each field found
--   its hash's place, the field, and what it holds. A field may come twice.
-- Cost: an HSCAN for each 100 fields; nothing of the others leaves the server.
local call, left, cursor = redis.call, tonumber(ARGV[1]), ARGV[3]
local reply = { #KEYS + 1, '0' }

local function isFound(field, held)
  for i = 4, #ARGV do
    if string.find(field, ARGV[i], 1, true) or string.find(held, ARGV[i], 1, true) then return true end
  end
  return false
end

for place = tonumber(ARGV[2]), #KEYS do
  repeat
    if left <= 0 then
      reply[1], reply[2] = place, cursor
      return reply
    end
    local scanned = call('HSCAN', KEYS[place], cursor, 'COUNT', 100)
    local fields = scanned[2]
    for i = 1, #fields, 2 do
      left = left - 50 - #fields[i] - #fields[i + 1]
      if isFound(fields[i], fields[i + 1]) then
        reply[#reply + 1] = place
        reply[#reply + 1] = fields[i]
        reply[#reply + 1] = fields[i + 1]
      end
    end
    cursor, left = scanned[1], left - 500
  until cursor == '0'
end
return reply
