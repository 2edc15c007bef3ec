-- Values of the short form. A grant that stands, with no revoke of its day, is one whole number there, which Redis
-- stores in 6 bytes, or in 10; ledger-field.lua has the full form, which everything else keeps. The number is
--   high * 10000000000 + low
--   low   ms + 180000000 * (points modulo 55)
--   high  version - 1 + 32 * (points / 55 + 32 * sequence)
-- where ms counts from 14 hours before the day's midnight in UTC: a day of any time zone lies in the 50 hours from
-- there. It may have 19 digits, more than a number of Lua keeps, so its two parts are read and written apart. A grant
-- that was repeated has the number of the first one and, behind a plus, how many ms later the latest was made, and that
-- one's sequence: `<number>+<ms>.<sequence>`. field-value.ts is the twin.
local shortMs, shortPoints, highestPart = 180000000, 55, 922337202

local function shortParts(text)
  return tonumber(string.sub(text, -10)), tonumber(string.sub(text, 1, -11)) or 0
end

local function shortText(low, high)
  return high == 0 and string.format('%d', low) or string.format('%d%010d', high, low)
end

-- A value in full; one that is no short one, as it is.
local function longValue(text, day)
  if #text > 19 or not string.find(text, '^%d+$') then
    local number, later, repeated = string.match(text, '^(%d+)%+(%d+)(%.?%d*)$')
    if not number then return text end
    local value, ms, first = string.match(longValue(number, day), '^([^;]*);(%d+)(%.?%d*)$')
    return string.format('%s;%d%s;;;%s', value, ms + later, repeated, ms .. first)
  end
  local low, high = shortParts(text)
  local ms, version = low % shortMs, high % 32 + 1
  local more = (high - version + 1) / 32
  local points, sequence = (low - ms) / shortMs + shortPoints * (more % 32), (more - more % 32) / 32
  text = string.format('%d%s;%d', points, (version > 1 or points == 0) and 'v' .. version or '', day * 86400000 - 50400000 + ms)
  return sequence == 0 and text or text .. string.format('.%d', sequence)
end

-- A value in the short form, if it has one; else as it is.
local function shortValue(text, day)
  local value, at, repeated, first, firstSequence = string.match(text, '^([^;]*);(%d+)(%.?%d*);;;(%d+)(%.?%d*)$')
  if first then
    local number = shortValue(value .. ';' .. first .. firstSequence, day)
    return string.find(number, ';', 1, true) and text or string.format('%s+%d%s', number, at - first, repeated)
  end
  local points, version, ms, sequence = string.match(text, '^(%d+)v?(%d*);(%d+)%.?(%d*)$')
  points, version, sequence = tonumber(points), tonumber(version), tonumber(sequence) or 0
  -- Without points, the version alone says that a grant stands.
  if not points or points == 0 and not version then return text end
  ms, version = tonumber(ms) - day * 86400000 + 50400000, version or 1
  if ms < 0 or ms >= shortMs or version > 32 or points >= 32 * shortPoints then return text end
  local high = version - 1 + 32 * ((points - points % shortPoints) / shortPoints + 32 * sequence)
  return high <= highestPart and shortText(ms + shortMs * (points % shortPoints), high) or text
end
