-- Compares the totals of a page of a ledger with its fields and with the totals of the pages right below it, at one
-- moment, and puts them right if asked to.
--
-- KEYS[1] page
-- KEYS[2..] above   the pages above it, the first one first
-- KEYS[n..] below   the pages right below it; none above the last level
-- ARGV[1] plan      JSON of PAGE
-- @record PAGE
--   .day             the ledger's day
--   .above           how many pages are above it
--   .heals           0 or 1
-- Returns nothing where there is no page, else two numbers: how many fields count by what lies there, and by its
--   totals; the first of the totals that is wrong alone, where any is.
-- A total that is put right is put right by as much in the pages above it: these are what their own pages add up to, or
-- are found to be wrong too.
-- Cost: an HGETALL of the page, and an HSCAN of each below it, of some 300 fields at most.
local call = redis.call
-- @include short-value
local plan = cjson.decode(ARGV[1])
local found, expected, names = {}, {}, {}
local function add(to, name, number)
  if not found[name] then
    found[name], expected[name], names[#names + 1] = 0, 0, name
  end
  to[name] = to[name] + number
end

local function isTotal(field)
  return string.find(field, '^[=+]%d') ~= nil
end

local all = call('HGETALL', KEYS[1])
if #all == 0 then return {} end
for i = 1, #all, 2 do
  local field, text = all[i], all[i + 1]
  local beginning = string.match(field, '^[^:]*:[^:]*:')
  if isTotal(field) then
    add(found, field, tonumber(text) or 0)
  elseif beginning then
    local points, version = string.match(longValue(text, plan[PAGE.day]), '^(%-?%d+)(v?%d*);')
    points = tonumber(points) or 0
    if points ~= 0 or version and version ~= '' then
      local name = (version == '' and '1' or string.sub(version, 2)) .. beginning
      add(expected, '=' .. name, 1)
      if points ~= 0 then add(expected, '+' .. name, points) end
    end
  end
end
for k = 2 + plan[PAGE.above], #KEYS do
  -- Only totals are asked for: what lies below may be full.
  local cursor = '0'
  repeat
    local scanned = call('HSCAN', KEYS[k], cursor, 'MATCH', '[=+]*', 'COUNT', 1000)
    cursor = scanned[1]
    for i = 1, #scanned[2], 2 do
      if isTotal(scanned[2][i]) then add(expected, scanned[2][i], tonumber(scanned[2][i + 1]) or 0) end
    end
  until cursor == '0'
end

local right, counted, isWrong = 0, 0, false
for _, name in ipairs(names) do
  local change = expected[name] - found[name]
  if change == 0 and not isWrong and string.sub(name, 1, 1) == '=' then
    right, counted = right + expected[name], counted + found[name]
  elseif change ~= 0 then
    if not isWrong then
      right, counted, isWrong = expected[name], found[name], true
    end
    if plan[PAGE.heals] == 1 then
      call('HSET', KEYS[1], name, string.format('%d', expected[name]))
      for k = 2, 1 + plan[PAGE.above] do
        if call('EXISTS', KEYS[k]) == 1 then redis.pcall('HINCRBY', KEYS[k], name, change) end
      end
    end
  end
end
return { right, counted }
