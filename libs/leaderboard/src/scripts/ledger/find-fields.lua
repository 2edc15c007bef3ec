-- Finds fields of hashes of one shard by patterns.
--
-- KEYS[1..] hashes
-- ARGV[1..] patterns   as MATCH of HSCAN has them
-- Returns flat, of each field found: its hash's place, and the field.
-- Cost: O(fields) of all hashes for each pattern; nothing else of them leaves the server.
local found = {}
for place = 1, #KEYS do
  local met = {}
  for _, pattern in ipairs(ARGV) do
    local cursor = '0'
    repeat
      local reply = redis.call('HSCAN', KEYS[place], cursor, 'MATCH', pattern, 'COUNT', 1000)
      cursor = reply[1]
      for i = 1, #reply[2], 2 do
        local field = reply[2][i]
        -- A scan may come upon a field twice, and two patterns fit it.
        if not met[field] then
          met[field] = true
          found[#found + 1] = place
          found[#found + 1] = field
        end
      end
    until cursor == '0'
  end
end
return found
