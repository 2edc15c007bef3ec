-- How many grants of a ledger have points, or their points together, or how many stand, those without points too. Each
-- of `counters` lists its unit and the prefixes of the fields that it counts. The ledger itself stores the counts,
-- under the field without a name, as `0;<generation>,` and the numbers: no other field has an empty name, and a reader
-- that does not know this one finds no points in it. Up to five counts are doubles of 8 bytes; more doubles would leave
-- Redis' compact encoding of 64 bytes a value, so more counts are MessagePack, a byte or two each (counts.ts: their
-- generations differ). Every call keeps the same counts within a generation. A call that keeps other counts, or none,
-- ends the generation, and everything is counted anew. A script that changes a ledger without counting deletes that
-- field.
--   Where days have caps (include/day-caps.lua), one more number follows, of the unit `latest`: how many ms after the
-- beginning of the day, as include/short-value.lua has it, the latest came that any counter counts; less than 0 where
-- the counts do not know all that was recorded, or not by the same caps.
-- @record COUNTER .unit
-- @record UNIT .grants .points .standing .latest
local find = string.find
local counters, layout, countHeader = {}, '', nil
local counts, changedCounts = {}, {}
local mostDoubles = 5
-- The place of that number; nil: there are no caps.
local latestAt

local function countBy(given)
  counters, layout = given, '>' .. string.rep('d', #given)
  latestAt = #given > 0 and given[#given][COUNTER.unit] == UNIT.latest and #given or nil
end

-- Finds the generation of the counts with that digest, '' for none. Says whether it is in force.
local function findGeneration(key, digest)
  local stored = call('GET', key)
  local isOurs = stored and digest ~= '' and string.sub(stored, 1, #digest + 1) == digest .. '.'
  if isOurs then countHeader = '0;' .. string.sub(stored, #digest + 2) .. ',' end
  return isOurs
end

-- As findGeneration, where the counts of this call, if it keeps any, come into force.
local function startCounting(key, digest, generation)
  if digest == '' or findGeneration(key, digest) then return end
  call('SET', key, digest .. '.' .. generation)
  countHeader = '0;' .. generation .. ','
end

local function isCounted(counter, field)
  for p = 2, #counter do
    if find(field, counter[p], 1, true) == 1 then return true end
  end
  return false
end

-- The counts that a ledger stores, if they are of this generation and complete; `given` is their field if it was read
-- already.
local function keptCounts(ledger, given)
  local text = given or call('HGET', ledger, '')
  if not text or not countHeader or find(text, countHeader, 1, true) ~= 1 then return nil end
  if #counters > mostDoubles then
    local numbers = { pcall(cmsgpack.unpack, string.sub(text, #countHeader + 1)) }
    return table.remove(numbers, 1) and #numbers == #counters and numbers or nil
  end
  if #text ~= #countHeader + 8 * #counters then return nil end
  local numbers = { struct.unpack(layout, text, #countHeader + 1) }
  -- Where the text ends.
  numbers[#counters + 1] = nil
  return numbers
end

-- By what a counter changes where a field's points change by `change`; `flip`: 1, it comes to stand; -1, it ceases to.
-- Points below zero are none: what takes leaves no more room for what gives.
local function changeOf(counter, change, flip)
  local unit = counter[COUNTER.unit]
  if unit == UNIT.points then return change * flip > 0 and change or 0 end
  return (unit == UNIT.standing or change ~= 0) and flip or 0
end

-- A field's points, and whether it stands. What readField refuses is refused here too: a limit must not judge by half
-- of a damaged text.
local function pointsIn(ledger, field, text)
  if field == '' then return 0, false end
  -- The first day of 1970 begins before 0 in some zones.
  local points, version, rest = string.match(longValue(text, 1), '^(%-?%d+)(v?%d*);[%d.]*;?[%d.]*;?[%d.]*;?[%d.]*(.*)$')
  local isWhole = rest == '' and not find(text, ';.', 1, true)
  if isWhole or points and find(field, 'adjust:', 1, true) == 1 then return tonumber(points), points ~= '0' or version ~= '' end
  error('The field "' .. field .. '" of ' .. ledger .. ' cannot be read.')
end

-- The numbers of a ledger, counted from its fields where they are not kept.
local function countsOf(ledger)
  local numbers = counts[ledger] or keptCounts(ledger)
  if not numbers then
    numbers = {}
    for c = 1, #counters do
      numbers[c] = 0
    end
    local all = call('HGETALL', ledger)
    for i = 1, #all, 2 do
      local points, stands = pointsIn(ledger, all[i], all[i + 1])
      for c = 1, #counters do
        if stands and isCounted(counters[c], all[i]) then
          numbers[c] = numbers[c] + changeOf(counters[c], points, 1)
        end
        if latestAt and isCounted(counters[c], all[i]) then numbers[latestAt] = -1 end
      end
    end
    -- Kept at once, so that tries that are refused do not count them again and again.
    changedCounts[ledger] = #all > 0 or nil
  end
  counts[ledger] = numbers
  return numbers
end

-- Adds a change of a field's points to the numbers that count it. Says whether any does.
local function addTo(numbers, field, change, flip)
  local isAny = false
  for c = 1, #counters do
    local counter = counters[c]
    if isCounted(counter, field) then
      numbers[c], isAny = numbers[c] + changeOf(counter, change, flip), true
    end
  end
  return isAny
end

-- Counts a change of a field's points, and with them whether the field stands. Counts that are not stored stay so: a
-- call that needs them counts the ledger as it is by then.
local function count(ledger, field, change, flip)
  for c = 1, #counters do
    if isCounted(counters[c], field) then
      local numbers = counts[ledger] or keptCounts(ledger)
      if not numbers then return end
      counts[ledger], changedCounts[ledger] = numbers, addTo(numbers, field, change, flip)
      return
    end
  end
end

-- Numbers as a ledger keeps them.
local function textOf(numbers)
  if #numbers > mostDoubles then return countHeader .. cmsgpack.pack(unpack(numbers)) end
  return countHeader .. struct.pack(layout, unpack(numbers))
end

-- A ledger's numbers as it keeps them, where they changed: they are the caller's to write.
local function takeChangedCounts(ledger)
  if not changedCounts[ledger] then return nil end
  changedCounts[ledger] = nil
  return textOf(counts[ledger])
end

-- Lets what was counted in this call be counted anew: an error may have come between a count and its ledger.
local function dropCounts()
  for ledger in pairs(counts) do
    call('HDEL', ledger, '')
  end
end

local function writeCounts()
  for ledger in pairs(changedCounts) do
    call('HSET', ledger, '', takeChangedCounts(ledger))
  end
end
