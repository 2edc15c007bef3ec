-- Records grants of one shard's members that only append: fields that are new or stand, of days without later revokes,
-- within what limits leave. Everything else it leaves, with what follows it of the same member: that is read, judged
-- in TypeScript and committed by commit-facts.lua, which means the same.
--
-- KEYS[1..] others   every key that the plan names, by its position
-- KEYS[n..] boards   the boards' sorted sets
-- KEYS[n..] excluded   one sorted set: excluded members
-- KEYS[n..] holding   one sorted set: members of whom something is held back
-- KEYS[n..] claims   one hash: members who are claimed for a moment
-- KEYS[n..] erased   one sorted set: the digests of erased members
-- KEYS[n..] frozen   for each of the boards the key that is there while it is frozen: the last KEYS
-- ARGV[1] plan       MessagePack of PLAN
-- @record PLAN
--   .names           the members
--   .boards          flat, of each board what BOARD lists
--   .groups          of each set of boards on which units count the numbers of its boards
--   .units           flat, of each member's ledger of a day what UNIT lists
--   .events          flat, of each grant what EVENT lists; those of one member in their order
--   .named           flat: an event's number, another member whom it names, the sorted set of keys that name that one
--                    (below zero: to be listed if a limit refuses the event), and when its key expires, as a text
--   .mostPoints      no less than all points that the call could add to one entry
--   .nowMs
--   .firstDays       key of the sorted set of first days; 0: they are not kept
-- @record BOARD
--   .originMs .tickMs .unit   how points and time are packed: points * unit + unit - 1 - ticks since originMs
--   .lastElapsed     the last tick of the period
--   .expireAtMs      0: never
--   .list .listName  of a part: the sorted set that lists the parts of its period, and its name there; else 0
--   .isTally         1: it counts grants, not points
-- @record UNIT
--   .member .group   their numbers
--   .ledger          key of the hash
--   .day             its number
--   .expireAtMs      of the ledger; 0: never
--   .date            of a day past its time in memory, to be noted in .old; else empty
--   .old .revokes    keys of the member's old days and general revokes, if the day is not the latest; else 0
--   .room            key of what limits leave the member; 0: nothing is limited
-- @record EVENT
--   .unit .field
--   .text            a fact: a number, and perhaps what it says of the owner
--   .points .ms
--   .more            0, or a table { always: key of the hash for what has no day; page, crowd, letters, total: of what
--                    may lie in a page the hash, that of the totals, the page's letters and the name of the totals;
--                    limits: of each limit what LIMIT lists, flat; sequence; alone: if they look at no other day,
--                    until when to keep a room that begins with it, and latest: the ledger of the next day, if any }
-- @record LIMIT
--   .kind            1: so many grants that have points, 2: points, 3: grants, on a day; 4: grants in a window
--   .name .law       the limit's, and what tells it from others that had the name
--   .slot            names what it counts
--   .max .windowMs
-- Returns for each event 0: left; 1: granted; 2, the time and sequence of the first grant in its fact's number (-1:
--   this one's): known, and stands; 3, the number of a limit and a moment in ms: refused, and allowed again then (-1:
--   when the day ends); 4, points and the number of a limit: granted less. Then for each unit the member's points on
--   each board of its group that is no tally. All in one text, `1,2,`: clients decode each number of a list for longer
--   than the rest of an event takes. Empty: all is left.
-- Cost: one EXISTS; of each board one ZMSCORE, one ZADD, at most one PTTL; of each event one HSETNX, of a repeated one
--   an HGET and an HSET; of each unit a PTTL; of limited ones a GET and a SET of the room; of a field that may lie in
--   a page two or three commands more.
local call, KEYS = redis.call, KEYS
local plan = cmsgpack.unpack(ARGV[1])
local names, flat, groups, units, events = plan[PLAN.names], plan[PLAN.boards], plan[PLAN.groups], plan[PLAN.units], plan[PLAN.events]
local boardCount = #flat / BOARD.isTally
local marks = #KEYS - boardCount - 3
local beforeBoards = marks - boardCount - 1

-- Members of whom all is left.
local isLeft = {}
if call('EXISTS', unpack(KEYS, marks, marks + 3)) > 0 then
-- @include erased-members
  local excluded, held = call('ZMSCORE', KEYS[marks], unpack(names)), call('ZMSCORE', KEYS[marks + 1], unpack(names))
  local claimed, erased = call('HMGET', KEYS[marks + 2], unpack(names)), erasedAmong(KEYS[marks + 3], names, plan[PLAN.nowMs]) or {}
  for m = 1, #names do isLeft[m] = excluded[m] or held[m] or claimed[m] or erased[m] or nil end
  for at = 1, #plan[PLAN.named], 4 do
    local event = (plan[PLAN.named][at] - 1) * EVENT.more
    if erasedAmong(KEYS[marks + 3], { plan[PLAN.named][at + 1] }, plan[PLAN.nowMs]) then
      isLeft[units[(events[event + EVENT.unit] - 1) * UNIT.room + UNIT.member]] = true
    end
  end
end
for first = 1, boardCount, 4000 do
  if call('EXISTS', unpack(KEYS, marks + 3 + first, math.min(#KEYS, marks + 3 + first + 3999))) > 0 then return '' end
end

-- The entries by boards and members.
local found = {}
for b = 1, boardCount do
  found[b] = call('ZMSCORE', KEYS[beforeBoards + b], unpack(names))
  local most = plan[PLAN.mostPoints] * flat[(b - 1) * BOARD.isTally + BOARD.unit]
  for m = 1, #names do
    local score = found[b][m] and found[b][m] + 0
    found[b][m] = score
    if (score or 0) + most >= 2 ^ 53 or (score or 0) <= -2 ^ 53 then return '' end
  end
end

-- The two numbers of a fact's first part, see ledger/facts/fact.ts, and what follows it; nil: it is written in full.
local shortMs = 180000000
local function parts(text)
  local number, rest = string.match(text, '^(%d+)(.*)$')
  if not number or string.sub(rest, 1, 1) == ':' then return nil end
  return tonumber(string.sub(number, -10)), tonumber(string.sub(number, 1, -11)) or 0, rest
end

-- What a field that has `text` has after a grant of `new`; nil where that is not plain: it was revoked, or the grant is
-- earlier, or asks for something else.
local function repeated(text, new)
  if text == new then return text end
  local low, high, rest = parts(text)
  local newLow, newHigh, newRest = parts(new)
  if not low or not newLow then return nil end
  local later, more = string.match(rest, '^;([%d.]*)(.*)$')
  later, more = later or '', more or ''
  if more ~= '' and string.sub(more, 1, 3) ~= ';;;' or newRest ~= (more == '' and '' or ';' .. more) then return nil end
  local asks = low - low % shortMs == newLow - newLow % shortMs and high % 1024 == newHigh % 1024
  local by, sequence = newLow % shortMs - low % shortMs, (newHigh - newHigh % 1024) / 1024
  if not asks or by <= 0 then return nil end
  local known = tonumber(string.match(later, '^%d+') or 0)
  if by < known then return text end
  if by == known then return nil end
  local number = string.match(text, '^%d+')
  return string.format(sequence > 0 and '%s;%d.%.0f' or '%s;%d', number, by, sequence) .. more
end

-- What limits leave a member; false: that is not known, or not for a grant of this moment. What has come of the day is
-- known: of limits that look at that day alone all of it, and before its first grant they leave all.
local rooms, expiries = {}, {}
local function roomFor(key, ledger, ms, more)
  local room = rooms[key]
  if room == nil then
    local packed = call('GET', KEYS[key])
    room = packed and cmsgpack.unpack(packed) or false
    if not room and more.alone and call('EXISTS', KEYS[ledger], KEYS[more.latest or ledger]) == 0 then
      room, expiries[key] = { ms = 0, sequence = 0, refused = false, laws = {}, used = {}, given = {}, longest = 0 }, { 'PXAT', more.alone }
    end
    rooms[key] = room
  end
  if not room or ms < room.ms or ms == room.ms and more.sequence <= room.sequence then return false end
  for at = 0, #more.limits - 1, LIMIT.windowMs do
    local name, law = more.limits[at + LIMIT.name], more.limits[at + LIMIT.law]
    if (room.laws[name] or more.alone and law) ~= law then return false end
    room.laws[name] = law
  end
  return room
end

-- Of what was given, what lies in a window: nothing earlier is looked at again.
local function within(list, ms)
  local found = {}
  for _, moment in ipairs(list or {}) do if moment > ms then found[#found + 1] = moment end end
  return found
end

-- Lets limits judge a new grant: what it is given, nil where one refuses it, the number of the limit that says so, and
-- when it would not.
local function admitted(room, limits, points, ms)
  local given, by = points, 0
  for at = 0, #limits - 1, LIMIT.windowMs do
    local kind, slot, max = limits[at + LIMIT.kind], limits[at + LIMIT.slot], limits[at + LIMIT.max]
    local number = at / LIMIT.windowMs + 1
    if kind == 4 then
      local windowMs = limits[at + LIMIT.windowMs]
      local list = within(room.given[slot], ms - windowMs)
      room.given[slot], room.longest = list, math.max(room.longest, windowMs)
      if #list >= max then return nil, number, list[#list - max + 1] + windowMs end
    elseif kind ~= 2 or points > 0 then
      local left = max - (room.used[slot] or 0)
      if left <= 0 then return nil, number, -1 end
      if kind == 2 and left < given then given, by = left, number end
    end
  end
  for at = 0, #limits - 1, LIMIT.windowMs do
    local kind, slot = limits[at + LIMIT.kind], limits[at + LIMIT.slot]
    if kind == 4 then
      table.insert(room.given[slot], ms)
    elseif kind ~= 1 or given ~= 0 then
      room.used[slot] = (room.used[slot] or 0) + (kind == 2 and given or 1)
    end
  end
  return given, by
end

-- By units: whether its day lies in memory, the points and grants that came, the latest moments of what has points and
-- of all, whether fields are new, and whether any of these is the member's own.
local isInMemory, points, grants, latest, latestOfAll, added, hasOwn = {}, {}, {}, {}, {}, {}, {}

local function lies(u, at)
  if units[at + UNIT.old] == 0 then return true end
  if isInMemory[u] == nil then
    local day = units[at + UNIT.day]
    local old = call('HGET', KEYS[units[at + UNIT.old]], day)
    isInMemory[u] = not old or string.byte(old) ~= 0
    if not old and units[at + UNIT.date] ~= '' then call('HSET', KEYS[units[at + UNIT.old]], day, units[at + UNIT.date]) end
  end
  return isInMemory[u]
end

local replies, r = {}, 0
-- The hash in which an event's field lies by now; nil: the event is left. And what a limit refused.
local hashOf, isRefused = {}, {}

-- Records one event; returns what is replied, false: it is left.
local function record(e, u, at)
  local field, text, more = events[e + EVENT.field], events[e + EVENT.text], events[e + EVENT.more]
  if not lies(u, at) then return false end
  if units[at + UNIT.revokes] > 0 and call('HEXISTS', KEYS[units[at + UNIT.revokes]], field) == 1 then return false end
  local ledger, hash, room = units[at + UNIT.ledger], units[at + UNIT.ledger], nil
  if more ~= 0 then
    if more.page and call('HLEN', KEYS[ledger]) >= 127 and call('HEXISTS', KEYS[ledger], field) == 0 then hash = more.page end
    if more.always and (call('HGET', KEYS[ledger], field) or '*') ~= '*' then return false end
    hash = more.always or hash
    if more.limits then
      room = roomFor(units[at + UNIT.room], ledger, events[e + EVENT.ms], more)
      if not room then return false end
    end
  end
  hashOf[e] = hash
  if call('HSETNX', KEYS[hash], field, text) == 0 then
    if more ~= 0 and (more.always or room and room.refused) then return false end
    local known = call('HGET', KEYS[hash], field)
    local after = repeated(known, text)
    if not after then return false end
    if after ~= known then call('HSET', KEYS[hash], field, after) end
    if room then room.ms, room.sequence, room.isNew = events[e + EVENT.ms], more.sequence, true end
    local low, high = parts(after)
    return 2, after == text and -1 or low % shortMs, math.floor((high or 0) / 1024)
  end
  local given, by, again = events[e + EVENT.points], 0, nil
  if more ~= 0 then
    if more.always then call('HSET', KEYS[ledger], field, '*') end
    if room then
      room.ms, room.sequence, room.isNew = events[e + EVENT.ms], more.sequence, true
      given, by, again = admitted(room, more.limits, given, events[e + EVENT.ms])
      if not given then room.refused, isRefused[e] = true, true end
    end
    if hash == more.page then
      call('HINCRBY', KEYS[more.crowd], '=' .. more.total, 1)
      call('HINCRBY', KEYS[more.crowd], '+' .. more.total, given)
      local letters = '@' .. more.letters
      if events[e + EVENT.ms] > (tonumber(call('HGET', KEYS[more.crowd], letters) or nil) or 0) then
        call('HSET', KEYS[more.crowd], letters, string.format('%d', events[e + EVENT.ms]))
      end
      if units[at + UNIT.expireAtMs] > 0 then
        call('PEXPIREAT', KEYS[more.page], units[at + UNIT.expireAtMs])
        call('PEXPIREAT', KEYS[more.crowd], units[at + UNIT.expireAtMs])
      end
    end
  end
  if hash ~= (more ~= 0 and more.page) then added[u] = true end
  if more == 0 or not more.page then hasOwn[u] = true end
  if not given then return 3, by, again end
  grants[u] = (grants[u] or 0) + 1
  if given ~= 0 then
    points[u] = (points[u] or 0) + given
    latest[u] = math.max(latest[u] or 0, events[e + EVENT.ms])
  end
  latestOfAll[u] = math.max(latestOfAll[u] or 0, events[e + EVENT.ms])
  if by > 0 then return 4, given, by end
  return 1
end

local function recordAll()
  for e = 0, #events - 1, EVENT.more do
    local u = events[e + EVENT.unit]
    local at = (u - 1) * UNIT.room
    local m = units[at + UNIT.member]
    local code, one, other
    if not isLeft[m] then code, one, other = record(e, u, at) end
    if not code then isLeft[m], hashOf[e], code = true, nil, 0 end
    replies[r + 1], r = code, r + 1
    if one then replies[r + 1], replies[r + 2], r = one, other, r + 2 end
  end
end

-- What was recorded before an error reaches the boards too.
local isRecorded, fault = pcall(recordAll)

local moved, firstDays = {}, {}
for u = 1, #units / UNIT.room do
  local at = (u - 1) * UNIT.room
  local m = units[at + UNIT.member]
  if added[u] then
    local ledger, expireAtMs = KEYS[units[at + UNIT.ledger]], units[at + UNIT.expireAtMs]
    if expireAtMs > 0 and call('PTTL', ledger) == -1 then call('PEXPIREAT', ledger, expireAtMs) end
    -- A ledger may have begun with what is no grant.
    if hasOwn[u] then firstDays[#firstDays + 1], firstDays[#firstDays + 2] = units[at + UNIT.day], names[m] end
  end
  for _, b in ipairs(groups[units[at + UNIT.group]]) do
    local board, score = (b - 1) * BOARD.isTally, found[b][m]
    local isTally = flat[board + BOARD.isTally] == 1
    local worth, ms = isTally and grants[u] or points[u], isTally and latestOfAll[u] or latest[u]
    if worth and worth ~= 0 then
      local unit, tick, since = flat[board + BOARD.unit], flat[board + BOARD.tickMs], ms - flat[board + BOARD.originMs]
      local elapsed = math.max(0, math.min((since - since % tick) / tick, flat[board + BOARD.lastElapsed]))
      local kept = score and score % unit or unit - 1
      found[b][m] = (score and score - kept or 0) + worth * unit + math.min(kept, unit - 1 - elapsed)
      moved[b] = moved[b] or {}
      moved[b][m] = found[b][m]
    end
  end
end
if plan[PLAN.firstDays] > 0 and #firstDays > 0 then call('ZADD', KEYS[plan[PLAN.firstDays]], 'LT', unpack(firstDays)) end
for b, scores in pairs(moved) do
  local lines, board = {}, (b - 1) * BOARD.isTally
  for m, score in pairs(scores) do lines[#lines + 1], lines[#lines + 2] = string.format('%d', score), names[m] end
  local added = call('ZADD', KEYS[beforeBoards + b], unpack(lines))
  local expireAtMs, list = flat[board + BOARD.expireAtMs], flat[board + BOARD.list]
  if added > 0 and expireAtMs > 0 and call('PTTL', KEYS[beforeBoards + b]) == -1 then call('PEXPIREAT', KEYS[beforeBoards + b], expireAtMs) end
  if added > 0 and list > 0 and call('ZADD', KEYS[list], 0, flat[board + BOARD.listName]) == 1 and expireAtMs > 0 then
    call('PEXPIREAT', KEYS[list], expireAtMs)
  end
end
for key, room in pairs(rooms) do
  if room and room.isNew then
    room.isNew = nil
    for slot, list in pairs(room.given) do
      if (list[#list] or 0) <= room.ms - room.longest then room.given[slot] = nil end
    end
    call('SET', KEYS[key], cmsgpack.pack(room), unpack(expiries[key] or { 'KEEPTTL' }))
  end
end
if #plan[PLAN.named] > 0 then
-- @include naming
  for at = 1, #plan[PLAN.named], 4 do
    local event, list, expireAtMs = plan[PLAN.named][at], plan[PLAN.named][at + 2], plan[PLAN.named][at + 3]
    local e = (event - 1) * EVENT.more
    local hash = hashOf[e]
    if hash and (list > 0 or isRefused[e]) then listKey(KEYS[math.abs(list)], string.match(KEYS[hash], '}:(.*)$'), expireAtMs, plan[PLAN.nowMs]) end
  end
end
if not isRecorded then error(fault, 0) end
for u = 1, #units / UNIT.room do
  local at = (u - 1) * UNIT.room
  for _, b in ipairs(groups[units[at + UNIT.group]]) do
    local score, unit = found[b][units[at + UNIT.member]] or 0, flat[(b - 1) * BOARD.isTally + BOARD.unit]
    if flat[b * BOARD.isTally] == 0 then replies[r + 1], r = math.floor(score / unit), r + 1 end
  end
end
local texts = {}
for first = 1, r, 1000 do
  local last = math.min(r, first + 999)
  texts[#texts + 1] = string.format(string.rep('%d,', last - first + 1), unpack(replies, first, last))
end
return table.concat(texts)
