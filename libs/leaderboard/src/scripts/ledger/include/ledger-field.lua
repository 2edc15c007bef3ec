-- A field of a ledger is `points;granted;revoked;dayRevoked;first`, without empty parts at the end. Standing points
-- that later terms than the first granted are followed by v and their version: `10v2`; points below zero begin with a
-- minus. A grant that counts without points always has a version: `0v1`. The others are moments, `ms` or `ms.sequence`.
-- Three only ever move forward: the latest grant seen, the latest general revoke made on this day, and the latest
-- revoke that named this day alone, whenever it was made. The fourth is the earliest grant seen, where that is another.
-- A revoke of one day whose sequence begins with a zero is a limit's: include/refused-grants.lua; a mark behind the
-- fourth: include/marks.lua. A ledger has the short form of include/short-value.lua where a field has one.
local function readField(ledger, field, day, known)
  local text = known or call('HGET', ledger, field)
  if not text then return { points = 0, version = '', granted = '', revoked = '', dayRevoked = '', first = '' } end
  text = longValue(text, day)
  local points, version, granted, revoked, dayRevoked, first = partsOf(text)
  if not points then error('The field "' .. field .. '" of ' .. ledger .. ' cannot be read.') end
  local mark
  mark, first = markOf(first)
  if mark and first == granted then first = '' end
  return { points = tonumber(points), version = version, granted = granted, revoked = revoked, dayRevoked = dayRevoked, first = first, mark = mark }
end

local function writeField(ledger, field, record, day)
  local text, first = string.format('%.0f', record.points) .. record.version .. ';' .. record.granted, record.first
  if record.mark then first = withMark(first == '' and record.granted or first, record.mark) end
  text = string.gsub(text .. ';' .. record.revoked .. ';' .. record.dayRevoked .. ';' .. first, ';+$', '')
  if not record.mark then text = shortValue(text, day) end
  call('HSET', ledger, field, text)
end

-- Whether a field has points, or counts without any.
local function isCounting(record)
  return record.points ~= 0 or record.version ~= ''
end

-- Since when a field counts, in ms; false where it does not.
local function countsSince(record)
  local first = record.mark and record.mark.verdict == standsAgain and '' or record.first
  return isCounting(record) and standsSince(record.granted, record.revoked, record.dayRevoked, first)
end
