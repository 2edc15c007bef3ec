-- A field of a ledger is `points;granted;revoked;dayRevoked`, without empty parts at the end. Standing points that
-- later terms than the first granted are followed by v and their version: `10v2`. A grant that counts without points
-- always has a version: `0v1`. The other three are moments, `ms` or `ms.sequence`, that only ever move forward: the
-- latest grant seen, the latest general revoke made on this day, and the latest revoke that named this day alone,
-- whenever it was made. Ledgers of the days from plan.shortFrom on have the short form of include/short-value.lua where
-- a field has one.
local function readField(ledger, field, day)
  local text = call('HGET', ledger, field)
  if not text then return { points = 0, version = '', granted = '', revoked = '', dayRevoked = '' } end
  text = longValue(text, day)
  local points, version, granted, revoked, dayRevoked = string.match(text, '^(%d+)(v?%d*);([%d.]*);?([%d.]*);?([%d.]*)$')
  if not points or string.find(text, ';%.') then error('The field "' .. field .. '" of ' .. ledger .. ' cannot be read.') end
  return { points = tonumber(points), version = version, granted = granted, revoked = revoked, dayRevoked = dayRevoked }
end

local function writeField(ledger, field, record, day)
  local text = string.format('%.0f', record.points) .. record.version .. ';' .. record.granted
  if record.revoked ~= '' or record.dayRevoked ~= '' then text = text .. ';' .. record.revoked end
  if record.dayRevoked ~= '' then text = text .. ';' .. record.dayRevoked end
  if day >= plan[PLAN.shortFrom] then text = shortValue(text, day) end
  call('HSET', ledger, field, text)
end

-- Whether a field has points, or counts without any.
local function isCounting(record)
  return record.points > 0 or record.version ~= ''
end

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
