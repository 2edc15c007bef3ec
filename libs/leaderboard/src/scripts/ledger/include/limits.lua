-- Limits of the caller's own, by type: `check`, `take`, `undo` and `quota`, each a function of keys, arguments and the grant.
local ownLimits = {}
-- @own-limits

-- How a function of an own limit answers: whether it ran, and what it gave. What fails in it fails for its own limit alone.
-- `given` has its keys, by their places until the first of its functions runs, and its arguments.
local function ask(type, part, given, grant)
  local own = ownLimits[type]
  if own and not own[part] then return true, nil end
  if not given.named then
    given.named = {}
    for k = 1, #given[1] do
      given.named[k] = KEYS[others + given[1][k]]
    end
  end
  return pcall(own and own[part], given.named, given[2], grant)
end

-- What a script's error says: a string, or of a failed command a table.
local function faultOf(thrown)
  return type(thrown) == 'table' and thrown.err or tostring(thrown)
end
