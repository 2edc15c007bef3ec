-- Caps of a day are judged in the order of moments, whatever the order of arrival. Every field that a cap counts holds
-- a place, or points, from its first grant until a revoke of its day, and again from its latest grant where that came
-- after the revoke; what a revoke of a later day ended holds them to the day's end. In the order of these moments each
-- gets what those before it leave; a field that is refused at its first grant is tried again at its latest. So what
-- was refused stays refused whatever is cancelled after it, what comes after a cancel may take the place, and all of
-- it is a function of the fields' moments: of the set of what arrived.
--   What comes in order is judged by the numbers that the ledger keeps (include/caps.lua); the day is judged anew where
-- something comes behind what was judged, or makes a field begin at another moment.

-- When something begins, or ends: nothing is earlier than '' .
local function momentsOf(record)
  local granted, first = record.granted, record.first == '' and record.granted or record.first
  local revoked = later(record.dayRevoked, record.revoked) and record.dayRevoked or record.revoked
  if string.find(record.dayRevoked, '.0', 1, true) then
    -- What another limit refused at its moment never began.
    if not later(granted, record.dayRevoked) then return nil end
    if not later(first, record.dayRevoked) then first = granted end
    revoked = record.revoked
  end
  return first, granted, revoked
end

-- The moments at which a field may come to hold a place, and until when it holds it.
local function addTries(events, name, field, record)
  local first, granted, revoked = momentsOf(record)
  if not first or first == '' then return false end
  local function add(moment, ends, isRetry)
    local ms, sequence = momentOf(moment)
    local endMs, endSequence
    if ends then endMs, endSequence = momentOf(ends) end
    events[#events + 1] = { ms = ms, sequence = sequence, name = name, field = field, isRetry = isRetry, endMs = endMs, endSequence = endSequence }
  end
  if later(first, revoked) then
    add(first)
    if later(granted, first) then add(granted, nil, true) end
  elseif later(granted, revoked) then
    add(first, revoked)
    add(granted)
  else
    add(granted, revoked)
  end
  return true
end

local function isBefore(a, b)
  if a.ms ~= b.ms then return a.ms < b.ms end
  if a.sequence ~= b.sequence then return a.sequence < b.sequence end
  if a.name ~= b.name then return a.name < b.name end
  return not a.isRetry and b.isRetry or false
end

-- What the caps give the fields of a ledger, by name: of each that they concern `given`, false where it is refused,
-- then by the counter `refusedBy`; and `cutBy`, `isRetried`. `own` is the record of the field `ownName`, as it is to
-- be.
local function capDay(ledger, day, ownName, own)
  local counters, caps, fields, events = limits.counters, limits.caps, {}, {}
  local function addField(name, record)
    if not isCounting(record) and not record.mark then return end
    local field = { record = record, counters = {}, asked = record.mark and record.mark.asked or record.points }
    for c = 1, #caps do
      -- What is worth nothing takes no place among what has points.
      local concerns = caps[c] > 0 and (field.asked ~= 0 or counters[c][COUNTER.unit] ~= UNIT.grants)
      if concerns and limits.isCounted(counters[c], name) then field.counters[#field.counters + 1] = c end
    end
    if #field.counters > 0 and addTries(events, name, field, record) then fields[name] = field end
  end
  local all = call('HGETALL', ledger)
  for i = 1, #all, 2 do
    if all[i] ~= '' and all[i] ~= ownName and string.sub(all[i], 1, 7) ~= 'adjust:' then addField(all[i], readField(ledger, all[i], day, all[i + 1])) end
  end
  addField(ownName, own)
  table.sort(events, isBefore)

  local used, holding = {}, {}
  for c = 1, #caps do
    used[c] = 0
  end
  local function use(field, sign)
    for _, c in ipairs(field.counters) do
      local unit = counters[c][COUNTER.unit]
      used[c] = used[c] + sign * (unit == UNIT.points and math.max(0, field.given) or 1)
    end
  end
  for _, event in ipairs(events) do
    local field = event.field
    if not (event.isRetry and field.given) then
      for h = #holding, 1, -1 do
        local held = holding[h]
        if held.endMs < event.ms or held.endMs == event.ms and held.endSequence <= event.sequence then
          use(held, -1)
          table.remove(holding, h)
        end
      end
      field.given, field.cutBy, field.refusedBy, field.isRetried = field.asked, nil, nil, event.isRetry or false
      for _, c in ipairs(field.counters) do
        local left, ofPoints = caps[c] - used[c], counters[c][COUNTER.unit] == UNIT.points
        if left <= 0 and not (ofPoints and field.asked <= 0) then
          field.given, field.refusedBy = false, c
          break
        end
        if ofPoints and field.given > 0 and left < field.given then field.given, field.cutBy = left, c end
      end
      if field.given then
        use(field, 1)
        if event.endMs then
          holding[#holding + 1] = { counters = field.counters, given = field.given, endMs = event.endMs, endSequence = event.endSequence }
        end
      end
    end
  end
  return fields
end

-- Lets a record have what the caps give it, where it stands; returns the change of its points.
local function takeVerdict(field, version)
  local record, before = field.record, field.record.points
  local mark = { verdict = field.isRetried and standsAgain or field.refusedBy or 0, asked = field.asked, version = version }
  if field.given then
    record.version = version
    record.mark = (field.given < field.asked or field.isRetried) and mark or nil
    return field.given - before
  end
  record.version, record.mark = '', mark
  return -before
end

-- The other fields of a day that the caps give something else than they have, each as `carryOut` takes it.
local function changedByCaps(fields, ownName, ledger, day)
  local changed = {}
  for name, field in pairs(fields) do
    local record = field.record
    local _, granted, revoked = momentsOf(record)
    local mark = record.mark
    local stands = later(granted, revoked) and not (mark and mark.verdict == endedLater)
    local had = isCounting(record) and record.points
    local wasRetried = mark ~= nil and mark.verdict == standsAgain
    if name ~= ownName and stands and (had ~= field.given or had and wasRetried ~= field.isRetried) then
      local one = { day = day, name = name, hash = ledger, record = record, version = record.version, was = countsSince(record) }
      one.change = takeVerdict(field, mark and mark.version or record.version)
      one.flip = (field.given and 1 or 0) - (had and 1 or 0)
      -- Its points are still those that it had.
      one.is = field.given and standsSince(record.granted, record.revoked, record.dayRevoked, field.isRetried and '' or record.first)
      changed[#changed + 1] = one
    end
  end
  table.sort(changed, function(a, b) return a.name < b.name end)
  return changed
end

-- The number of a group of those boards of another on which a field counts.
local function groupOfField(number, name)
  standing = standing or cjson.decode(plan[PLAN.standing])
  local group = {}
  for part, value in pairs(groups[number]) do
    group[part] = value
  end
  group[GROUP.boards], group[GROUP.allBoards] = {}, false
  for _, b in ipairs(groups[number][GROUP.boards]) do
    if beginsWithOne(name, standing[b][STANDING.beginnings]) then table.insert(group[GROUP.boards], b) end
  end
  groups[#groups + 1] = group
  return #groups
end
