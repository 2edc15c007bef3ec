-- Finds out which of some keys are there.
--
-- KEYS[1..] keys
-- Returns their places, from 1.
-- Cost: an EXISTS a key.
local there = {}
for i, key in ipairs(KEYS) do
  if redis.call('EXISTS', key) == 1 then there[#there + 1] = i end
end
return there
