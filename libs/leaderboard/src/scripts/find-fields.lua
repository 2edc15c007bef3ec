-- Finds fields of hashes of one shard by a pattern.
--
-- KEYS[1..] hashes
-- ARGV[1] pattern   as MATCH of HSCAN has it
-- Returns flat, of each field found: its hash's place, and the field.
-- Cost: O(fields) of all hashes; nothing else of them leaves the server.
local found = {}
for place = 1, #KEYS do
  local cursor, met = '0', {}
  repeat
    local reply = redis.call('HSCAN', KEYS[place], cursor, 'MATCH', ARGV[1], 'COUNT', 1000)
    cursor = reply[1]
    for i = 1, #reply[2], 2 do
      local field = reply[2][i]
      -- A scan may come upon a field twice.
      if not met[field] then
        met[field] = true
        found[#found + 1] = place
        found[#found + 1] = field
      end
    end
  until cursor == '0'
end
return found
