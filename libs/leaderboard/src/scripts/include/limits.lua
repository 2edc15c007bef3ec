-- How many fields of a day's ledger that begin with the limit's prefix stand.
local function standing(ledger, pattern)
  local count, cursor = 0, '0'
  repeat
    local page = call('HSCAN', ledger, cursor, 'MATCH', pattern, 'COUNT', 1000)
    cursor = page[1]
    for i = 2, #page[2], 2 do
      if string.sub(page[2][i], 1, 2) ~= '0;' then count = count + 1 end
    end
  until cursor == '0'
  return count
end

-- Whether one more place at `ms` would put more than `max` into some window of `windowMs`. Places `windowMs` apart are
-- in no window together. Both sides are looked at: a late activity must not overfill a window that came after it.
local function overfills(key, max, windowMs, ms)
  local near = call('ZRANGEBYSCORE', key, string.format('(%.0f', ms - windowMs), string.format('(%.0f', ms + windowMs), 'WITHSCORES')
  local places, mine = {}, 1
  for i = 2, #near, 2 do
    local at = tonumber(near[i])
    if at <= ms then mine = mine + 1 end
    places[#places + 1] = at
  end
  table.insert(places, mine, ms)
  for first = math.max(1, mine - max), mine do
    local last = places[first + max]
    if last and last - places[first] < windowMs then return true end
  end
  return false
end

-- The number of the first limit that refuses a grant at `ms`, or nil where all allow it.
local function refusedBy(limits, ledger, ms)
  for i = 1, #limits do
    local limit = limits[i]
    if limit.type == 'daily' then
      if standing(ledger, limit.pattern) >= limit.max then return i end
    elseif overfills(KEYS[#boards + limit.key], limit.max, limit.windowMs, ms) then
      return i
    end
  end
end

-- Takes the grant's place in every window. Only grants take places: a refused try does not, and a revoke frees none.
local function takePlaces(limits, place, ms)
  for i = 1, #limits do
    local limit = limits[i]
    if limit.type == 'sliding' then
      local key = KEYS[#boards + limit.key]
      call('ZADD', key, ms, place)
      call('ZREMRANGEBYSCORE', key, '-inf', string.format('(%.0f', ms - 2 * limit.windowMs))
      call('PEXPIRE', key, 2 * limit.windowMs)
    end
  end
end
