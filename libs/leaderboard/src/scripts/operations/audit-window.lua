-- Compares a sliding window with the ledgers of the grants that filled it, at one moment, and removes moments without a
-- grant if asked to.
--
-- KEYS[1] window       as include/sliding-windows.lua has it
-- KEYS[2..] ledgers    the member's ledgers, in the order of their days
-- ARGV[1] plan         JSON of WINDOW
-- @record WINDOW
--   .field           of a window for one field; else 0
--   .prefixes        otherwise prefixes of the fields that the window limits
--   .days            the ledgers' days
--   .starts          when they begin, and the last of them ends, in ms
--   .heals           0 or 1
--   .spread          prefixes of the fields that count once in several days
-- @codes STATE
--   .none            there is no window
--   .right
--   .unfounded       it has moments of no grant
--   .unreadable
-- Returns nothing if there is no window, else four numbers: a STATE, how many moments it has on those days, how many of
--   them have a grant, and the ms of the first without a grant (0: none).
-- A grant adds one moment on its day: its own, or an earlier one if the grant was repeated. A grant that was revoked
-- meanwhile, or that counts once in several days, may have added any number of moments.
-- Cost: a GET, a HGET or HGETALL a ledger.
local call = redis.call
-- @include sliding-windows
-- @include short-value
local plan = cjson.decode(ARGV[1])
local field, beginnings, starts = plan[WINDOW.field], plan[WINDOW.prefixes], plan[WINDOW.starts]
local heals, spread = plan[WINDOW.heals] == 1, plan[WINDOW.spread]
local text = call('GET', KEYS[1])
if not text then return {} end

local function isSound()
  if #text < 16 or #text % 8 ~= 0 then return false end
  local before = 0
  for at = 9, #text, 8 do
    local place = unpackAt('>d', text, at)
    if not (place >= before and place < 2 ^ 53) then return false end
    before = place
  end
  return true
end

if not isSound() then
  -- An unreadable window fails every grant that it limits.
  if heals then call('DEL', KEYS[1]) end
  return { STATE.unreadable, 0, 0, 0 }
end

local function startsWithOne(name, beginnings)
  for _, beginning in ipairs(beginnings) do
    if string.sub(name, 1, #beginning) == beginning then return true end
  end
  return false
end

-- The latest moments of a day's grants: of those that added one moment, descending, and the last of those that may have
-- added several.
local function grantsOf(number)
  local ledger, single, several = KEYS[1 + number], {}, 0
  local function add(name, value)
    local granted, revokes = string.match(value and longValue(value, plan[WINDOW.days][number]) or '', '^%-?%d+v?%d*;(%d+)[^;]*(;?[^;]*;?[^;]*)')
    local ms = tonumber(granted)
    if not ms then return end
    if string.find(revokes, '%d') or startsWithOne(name, spread) then several = math.max(several, ms) else single[#single + 1] = ms end
  end
  if field ~= 0 then
    add(field, call('HGET', ledger, field))
  else
    local all = call('HGETALL', ledger)
    for i = 1, #all, 2 do
      if startsWithOne(all[i], beginnings) then add(all[i], all[i + 1]) end
    end
  end
  table.sort(single, function(a, b) return a > b end)
  return single, several
end

local kept, looked, founded, firstWrong = {}, 0, 0, 0
local day, single, several, taken, reach = #starts, {}, 0, 0, 0
for at = #text - 7, 9, -8 do
  local place = unpackAt('>d', text, at)
  local isFounded = place < starts[1]
  if not isFounded then
    looked = looked + 1
    local before = day
    while place < starts[day] do
      day = day - 1
    end
    if day < before then
      single, several = grantsOf(day)
      taken, reach = 0, 0
    end
    while single[reach + 1] and single[reach + 1] >= place do
      reach = reach + 1
    end
    if place <= several then
      isFounded = true
    elseif taken < reach then
      taken, isFounded = taken + 1, true
    end
    if isFounded then founded = founded + 1 else firstWrong = place end
  end
  if isFounded then table.insert(kept, 1, string.sub(text, at, at + 7)) end
end
if looked == founded then return { STATE.right, looked, founded, 0 } end
if heals and #kept > 0 then
  call('SET', KEYS[1], string.sub(text, 1, 8) .. table.concat(kept), 'KEEPTTL')
elseif heals then
  call('DEL', KEYS[1])
end
return { STATE.unfounded, looked, founded, firstWrong }
