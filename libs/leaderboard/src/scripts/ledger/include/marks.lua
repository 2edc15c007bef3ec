-- What the caps of its day (include/day-caps.lua) say of a field stands behind the moment of its first grant, as a
-- sequence, and no other sequence begins with a zero:
--   <ms>.09<verdict><digits of the version><version><digits of the sequence><sequence><twice the points asked for>
-- in 2, 1, 2 digits. The verdict is the number of the counter whose cap refuses the field, or 0: it stands with fewer
-- points than were asked for, or has ended; or one of these: it was ended by a revoke of a later day; it stands since
-- its latest grant, as its first was refused.
local endedLater, standsAgain = 98, 99

-- The mark behind a field's first grant, and that moment alone; no mark, usually.
local function markOf(first)
  local ms, verdict, rest = string.match(first, '^(%d+)%.09(%d%d)(%d+)$')
  if not ms then return nil, first end
  local versionEnd = 1 + tonumber(string.sub(rest, 1, 1))
  local sequenceEnd = versionEnd + 2 + tonumber(string.sub(rest, versionEnd + 1, versionEnd + 2))
  local version, sequence = string.sub(rest, 2, versionEnd), string.sub(rest, versionEnd + 3, sequenceEnd)
  local mark = { verdict = tonumber(verdict), version = version == '' and '' or 'v' .. version, asked = tonumber(string.sub(rest, sequenceEnd + 1)) }
  -- As minus signs are no digits, what is below zero is odd.
  mark.asked = mark.asked % 2 == 1 and -(mark.asked + 1) / 2 or mark.asked / 2
  return mark, sequence == '' and ms or ms .. '.' .. sequence
end

local function withMark(first, mark)
  local ms, sequence = string.match(first, '^(%d+)%.?(%d*)$')
  local version = string.match(mark.version, '%d*$')
  return string.format('%s.09%02d%d%s%02d%s%.0f', ms, mark.verdict, #version, version, #sequence, sequence, mark.asked < 0 and -2 * mark.asked - 1 or 2 * mark.asked)
end

-- Whether a mark says that a cap refuses the field.
local function isRefusedBy(mark)
  return mark and mark.verdict > 0 and mark.verdict < endedLater
end
