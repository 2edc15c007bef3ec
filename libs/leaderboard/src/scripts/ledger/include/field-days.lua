-- The days on which there is a fact of a field, by their numbers, with a space behind each. `days` has eight characters
-- for each day that may lie in memory, from the day numbered `first` on. Old days lie in the hash `old`: there a field
-- is found by its escaped name, and a day that is in memory yet has its date for a value.
local function fieldDays(stem, member, days, first, old, name, escaped)
  local call, found = redis.call, {}
  for at = 1, #days, 8 do
    if call('HEXISTS', stem .. string.sub(days, at, at + 7) .. ':' .. member, name) == 1 then
      found[#found + 1] = string.format('%d ', first + (at - 1) / 8)
    end
  end
  local all = call('HGETALL', old)
  for i = 1, #all, 2 do
    local day, text = all[i], all[i + 1]
    local isThere = string.find(text, '\0' .. escaped .. '\1', 1, true)
    if string.byte(text) ~= 0 and tonumber(day) < first then
      isThere = call('HEXISTS', stem .. text .. ':' .. member, name) == 1
    end
    if isThere then found[#found + 1] = day .. ' ' end
  end
  return table.concat(found)
end
