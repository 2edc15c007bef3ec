-- A window is a string of doubles of 8 bytes: first until when Redis keeps it, or 0 while it holds places that came
-- late, then the moments of its grants, ascending. A place forgets those that lie more than two windows before it. A
-- place that comes in order is appended, and what is forgotten, and when it expires, is left as it is for a while. Each
-- window is written once a call, however many grants it lets pass.
local pack, unpackAt = struct.pack, struct.unpack
-- By their numbers: what they are, or false where there is nothing; what this call appends to them; and for how many ms
-- those are kept that this call writes as a whole.
local windows, appended, rewritten = {}, {}, {}

-- A window as it is by now, or false.
local function windowOf(w)
  return appended[w] and windows[w] .. appended[w] or windows[w]
end

-- What cannot be read ends the call here, before its place is taken.
local function latestOf(text)
  local latest = #text >= 16 and #text % 8 == 0 and unpackAt('>d', text, #text - 7)
  if latest and latest >= 0 and latest < 1e15 then return latest end
  error('The window of a sliding limit cannot be read.')
end

-- The latest place in a window, or nil.
local function latestIn(w)
  local text = windowOf(w)
  return text and latestOf(text) or nil
end

-- The places that a window knows: those that it has forgotten may still be there.
local function placesIn(text, windowMs)
  local places = {}
  if not text then return places end
  local oldest = unpackAt('>d', text) ~= 0 and latestOf(text) - 2 * windowMs or 0
  for at = 9, #text, 8 do
    local place = unpackAt('>d', text, at)
    if place >= oldest then places[#places + 1] = place end
  end
  return places
end

-- The first moment from `ms` on at which one more place puts no more than `max` into any stretch of `windowMs`, so many
-- that come after it included: a late activity must not overfill a window either. Places `windowMs` apart share none.
-- Every `max` places that follow one another, together with a moment beside or between them, are one stretch: where it
-- is too short, nothing before the first of them plus `windowMs` will do.
local function firstFree(places, max, windowMs, ms)
  local before = 0
  while true do
    while before < #places and places[before + 1] <= ms do
      before = before + 1
    end
    local free = ms
    for first = math.max(1, before - max + 1), math.min(before + 1, #places - max + 1) do
      local last = places[first + max - 1]
      if math.max(last, ms) - math.min(places[first], ms) < windowMs then free = places[first] + windowMs end
    end
    if free == ms then return ms end
    ms = free
  end
end

-- The first moment after `ms` at which a grant would find its place, or nil where it finds it at `ms`; and the latest
-- place of the window, if it has one.
local function fullUntil(w, max, windowMs, ms)
  local text = windowOf(w)
  if not text then return nil end
  local latest, free = latestOf(text), nil
  if latest <= ms then
    -- The place that is so many before the new one that the two may share no window.
    local at = #text - max * 8 + 1
    if at < 9 then return nil, latest end
    free = unpackAt('>d', text, at) + windowMs
  else
    free = firstFree(placesIn(text, windowMs), max, windowMs, ms)
  end
  return free > ms and free or nil, latest
end

-- A window is kept for `keepMs` from now on, or after its latest place where that is later.
local function rewrite(w, keepMs, places, isLate)
  local ahead = math.max(0, places[#places] - nowMs)
  local text = pack('>dd', isLate and 0 or nowMs + ahead + keepMs, places[1])
  for p = 2, #places do
    text = text .. pack('>d', places[p])
  end
  windows[w], appended[w], rewritten[w] = text, nil, ahead + keepMs
end

-- How many places may lie in a window that it has forgotten, before it is written without them.
local maxForgotten = 16

-- What windows were before an event took places in them that is not decided yet, in the order in which it did; nil:
-- none is being decided that might fail.
local onTrial

local function tryPlaces(isOnTrial)
  onTrial = isOnTrial and {} or nil
end

-- Takes back the places of an event that failed.
local function giveBackPlaces()
  for t = onTrial and #onTrial or 0, 1, -1 do
    local w = onTrial[t][1]
    windows[w], appended[w], rewritten[w] = onTrial[t][2], onTrial[t][3], onTrial[t][4]
  end
end

-- Takes a place in a window whose latest place is known; nil: it has none.
local function takePlace(w, windowMs, keepMs, ms, latest)
  if onTrial then onTrial[#onTrial + 1] = { w, windows[w], appended[w], rewritten[w] } end
  if not latest then return rewrite(w, keepMs, { ms }, false) end
  local text = windowOf(w)
  if latest <= ms then
    -- What is appended to must still be there two windows from now.
    local keptUntil, first = unpackAt('>dd', text)
    local isSmall = #text <= 8 * maxForgotten or first >= ms - 4 * windowMs
    if isSmall and keptUntil >= (ms > nowMs and ms or nowMs) + 2 * windowMs then
      local place = pack('>d', ms)
      appended[w] = appended[w] and appended[w] .. place or place
      return
    end
  end
  local places, isLate = {}, false
  for _, place in ipairs(placesIn(text, windowMs)) do
    if place > ms and not isLate then
      places[#places + 1], isLate = ms, true
    end
    if place >= ms - 2 * windowMs then places[#places + 1] = place end
  end
  if not isLate then places[#places + 1] = ms end
  rewrite(w, keepMs, places, isLate)
end

-- Reads the windows, whose keys follow the one at `before`.
local function readWindows(before, count)
  for first = 1, count, 7000 do
    local read = call('MGET', unpack(KEYS, before + first, before + math.min(first + 6999, count)))
    for w = 1, #read do
      windows[first + w - 1] = read[w]
    end
  end
end

-- Writes them.
local function writeWindows(before, count)
  local texts = {}
  for w = 1, count do
    local keepMs, places = rewritten[w], appended[w]
    if keepMs then
      texts[keepMs] = texts[keepMs] or string.format('%d', keepMs)
      call('SET', KEYS[before + w], windowOf(w), 'PX', texts[keepMs])
    elseif places then
      call('APPEND', KEYS[before + w], places)
    end
  end
end
