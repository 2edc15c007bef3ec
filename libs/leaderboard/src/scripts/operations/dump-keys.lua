-- Reads complete keys.
--
-- KEYS[1..] keys
-- Returns two values a key: its DUMP, or false if there is no key; and when it expires, in ms, 0: never.
-- Cost: that of DUMP.
local found = {}
for i = 1, #KEYS do
  found[#found + 1] = redis.call('DUMP', KEYS[i])
  found[#found + 1] = string.format('%.0f', math.max(0, redis.call('PEXPIRETIME', KEYS[i])))
end
return found
