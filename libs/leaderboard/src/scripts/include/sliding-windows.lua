-- A window is a string of the moments of its grants, ascending, each of 15 digits: those of the two windows before its
-- latest. Each is read once and written once a call, however many grants it lets pass.
local digits = 15
local windows, changedWindows = {}, {}

local function windowOf(key)
  local text = windows[key]
  if not text then
    text = call('GET', key) or ''
    windows[key] = text
  end
  return text
end

local function placesIn(text)
  local places = {}
  for at = 1, #text, digits do
    places[#places + 1] = tonumber(string.sub(text, at, at + digits - 1))
  end
  return places
end

-- The first moment from `ms` on at which one more place puts no more than `max` into any stretch of `windowMs`, so many
-- that come after it included: a late activity must not overfill a window either. Places `windowMs` apart share none.
-- Every `max` places that follow one another, together with a moment beside or between them, are one stretch: where it is
-- too short, nothing before the first of them plus `windowMs` will do.
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

-- The first moment after `ms` at which a grant would find its place, or nil where it finds it at `ms`.
local function fullUntil(key, max, windowMs, ms)
  local text = windowOf(key)
  if text == '' then return nil end
  if tonumber(string.sub(text, -digits)) <= ms then
    local at = #text - max * digits + 1
    if at < 1 then return nil end
    local free = tonumber(string.sub(text, at, at + digits - 1)) + windowMs
    return free > ms and free or nil
  end
  local free = firstFree(placesIn(text), max, windowMs, ms)
  return free > ms and free or nil
end

local function takePlace(key, windowMs, ms)
  local text = windowOf(key)
  local from, to = 1, #text
  while from < to and tonumber(string.sub(text, from, from + digits - 1)) < ms - 2 * windowMs do
    from = from + digits
  end
  while to > from and tonumber(string.sub(text, to - digits + 1, to)) > ms do
    to = to - digits
  end
  windows[key] = string.sub(text, from, to) .. string.format('%015d', ms) .. string.sub(text, to + 1)
  changedWindows[key] = windowMs
end

-- Kept for two windows from now on, or after the latest place, whichever is later.
local function writeWindows(nowMs)
  for key, windowMs in pairs(changedWindows) do
    local text = windows[key]
    local ahead = math.max(0, tonumber(string.sub(text, -digits)) - nowMs)
    call('SET', key, text, 'PX', string.format('%d', 2 * windowMs + ahead))
  end
end
