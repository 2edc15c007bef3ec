-- Returns which of the members `asked`, one at least, are refused as erased: true by their indexes, nil if none is. The
-- list has members as digests of the salt, which lies below all moments, and the id.
local function erasedAmong(list, asked, nowMs)
  local salt = redis.call('ZRANGE', list, '-inf', '-inf', 'BYSCORE')[1]
  if not salt then return nil end
  local digests, erased = {}, nil
  for i, member in ipairs(asked) do digests[i] = redis.sha1hex(salt .. member) end
  for i, refusedUntil in ipairs(redis.call('ZMSCORE', list, unpack(digests))) do
    if refusedUntil and tonumber(refusedUntil) > nowMs then
      erased = erased or {}
      erased[i] = true
    end
  end
  return erased
end
