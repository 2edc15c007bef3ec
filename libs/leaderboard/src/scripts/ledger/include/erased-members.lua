-- Returns which of the members `asked` are refused as erased: true by their indexes, nil if none is; and whether any
-- member is. The list has members as digests of the salt, which lies below all moments, and the id.
local function erasedAmong(list, asked, nowMs)
  local salt = redis.call('ZRANGE', list, '-inf', '-inf', 'BYSCORE')[1]
  if not salt then return nil, false end
  local erased
  for first = 1, #asked, 1000 do
    local digests = {}
    for i = first, math.min(first + 999, #asked) do
      digests[#digests + 1] = redis.sha1hex(salt .. asked[i])
    end
    local refusedUntil = redis.call('ZMSCORE', list, unpack(digests))
    for i = 1, #digests do
      if refusedUntil[i] and tonumber(refusedUntil[i]) > nowMs then
        erased = erased or {}
        erased[first + i - 1] = true
      end
    end
  end
  return erased, true
end
