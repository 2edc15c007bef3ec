-- Points and time as one double: `sum` is points * unit, `time` from 0 to unit - 1. Doubles tell all whole numbers to
-- 2^53. Beyond that, above zero and below, points stay exact, and whenever they double the time loses its last bit: of
-- the ticks that are left it is the first that is no earlier.
local mostExact = 2 ^ 53

local function packed(sum, time)
  local _, exponent = math.frexp(sum)
  return sum + (time - time % 2 ^ math.max(0, exponent - 53))
end
