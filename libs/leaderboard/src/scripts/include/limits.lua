-- Limits of the caller's own, by type: `check`, `take` and `quota`, each a function of keys, arguments and the grant.
local ownLimits = {}
-- @own-limits

-- How an own limit's function answers: whether it ran, and what it gave. What fails in it fails for its own limit alone.
local function ask(type, part, keys, arguments, grant)
  local own, named = ownLimits[type], {}
  for k = 1, #keys do
    named[k] = KEYS[#boards + keys[k]]
  end
  if own and not own[part] then return true, nil end
  return pcall(own and own[part], named, arguments, grant)
end

-- What a script's error says: a string, or of a failed command a table.
local function faultOf(thrown)
  return type(thrown) == 'table' and thrown.err or tostring(thrown)
end
