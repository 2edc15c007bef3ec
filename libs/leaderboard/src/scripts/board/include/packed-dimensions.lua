-- Points that are several whole numbers side by side, the first in the highest bits; board/layouts/packed-dimensions.ts
-- writes the same. They are described by `size:max:direction`, one a dimension: the values its bits tell apart, the
-- most it holds, and + where it runs with the board's order; - where it runs against it, and lies there as max less its
-- value.
local function readDimensions(text)
  local dimensions = {}
  for size, max, direction in string.gmatch(text, '(%d+):(%d+):([+-])') do
    dimensions[#dimensions + 1] = { size = tonumber(size), max = tonumber(max), against = direction == '-' }
  end
  return dimensions
end

-- Adds to each number its change, from 0 where there are no points yet; nil where one leaves its range: its neighbours
-- never take what is too much.
local function addToDimensions(dimensions, points, changes)
  local by = {}
  for change in string.gmatch(changes, '[^,]+') do
    by[#by + 1] = tonumber(change)
  end
  local sum, scale = 0, 1
  for d = #dimensions, 1, -1 do
    local one, value = dimensions[d], 0
    if points then
      value = points % one.size
      points = (points - value) / one.size
      if one.against then value = one.max - value end
    end
    value = value + by[d]
    if value < 0 or value > one.max then return nil end
    sum = sum + (one.against and one.max - value or value) * scale
    scale = scale * one.size
  end
  return sum
end
