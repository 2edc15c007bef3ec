-- When a field came to stand: the earliest grant ever seen, where no revoke of its day lies at or after that one, else
-- the latest. So what is repeated keeps its time, whatever came in which order, and what was taken back and given again
-- has that of the latest grant.
local function momentOf(text)
  local ms, sequence = string.match(text, '^(%d+)%.?(%d*)$')
  return tonumber(ms), tonumber(sequence) or 0
end

-- Whether moment `a` is later than moment `b`; none is earlier than any.
local function later(a, b)
  if b == '' then return a ~= '' end
  if a == '' then return false end
  local aMs, aSequence = momentOf(a)
  local bMs, bSequence = momentOf(b)
  return aMs > bMs or (aMs == bMs and aSequence > bSequence)
end

-- The parts of a field's value in full; nothing of one that cannot be read.
local function partsOf(value)
  if string.find(value, ';.', 1, true) then return nil end
  return string.match(value, '^(%-?%d+)(v?%d*);([%d.]*);?([%d.]*);?([%d.]*);?([%d.]*)$')
end

-- In ms.
local function standsSince(granted, revoked, dayRevoked, first)
  local mark
  mark, first = markOf(first)
  if mark and mark.verdict == standsAgain then first = '' end
  local isFirst = first ~= '' and later(first, revoked) and later(first, dayRevoked)
  return (momentOf(isFirst and first or granted))
end

-- What an adjustment, or what one gave back, changed on a board or on parts of it.
local function adjusted(value, name)
  local sum = 0
  local changes = string.match(value, '^[^;]*;[^;]*;;;%-?%d+;([^;]*);') or ''
  for where, change in string.gmatch(changes, '([^=,]+)=(%-?%d+)') do
    if where == name or string.sub(where, 1, #name + 1) == name .. '/' then sum = sum + tonumber(change) end
  end
  return sum
end

-- The tick of a period at which something stands that was given at `ms`: an adjustment may be of a moment outside it.
local function tickIn(ms, originMs, tickMs, lastElapsed)
  local since = ms - originMs
  return math.max(0, math.min((since - since % tickMs) / tickMs, lastElapsed))
end

local function beginsWithOne(field, beginnings)
  if beginnings == 0 then return true end
  for _, beginning in ipairs(beginnings) do
    if string.sub(field, 1, #beginning) == beginning then return true end
  end
  return false
end

-- What a field, its value in full, adds to a board of a name and since when, in ms: nothing where it does not count
-- there. What an adjustment takes has no moment. Of a value that cannot be read, true besides.
local function worthOf(field, value, name, beginnings, isTally)
  if string.sub(field, 1, 7) == 'adjust:' then
    local change = isTally and 0 or adjusted(value, name)
    return change, change > 0 and field ~= 'adjust:' and tonumber(string.match(value, '^[^;]*;(%d+)')) or nil
  end
  if field == '' or not beginsWithOne(field, beginnings) then return 0 end
  local points, version, granted, revoked, dayRevoked, first = partsOf(value)
  if not points then return 0, nil, true end
  points = tonumber(points)
  local worth = not isTally and points or (points ~= 0 or version ~= '') and 1 or 0
  return worth, worth ~= 0 and standsSince(granted, revoked, dayRevoked, first) or nil
end
