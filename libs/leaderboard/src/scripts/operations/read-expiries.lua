-- Reads when keys expire.
--
-- KEYS[1..] keys
-- Returns ms a key, 0: never, or there is none.
-- Cost: O(1) a key.
-- @include expiry
local found = {}
for i = 1, #KEYS do
  found[i] = string.format('%.0f', math.max(0, expiryOf(KEYS[i])))
end
return found
