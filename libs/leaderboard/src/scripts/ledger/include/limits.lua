-- @record KIND .daily .sliding .custom .period
-- @record DAILY .kind .max
--   .counter         which of the counters it limits
--   .span            only for read-quota.lua: of a period's limit, when the period ends, and the positions of the
--                    ledgers of its other days; 0: the limit does not apply
-- @record SLIDING .kind .max .windowMs .keepMs
--   .window          only for read-quota.lua
-- @record CUSTOM .kind .type
--   .given           only for read-quota.lua
-- @record GIVEN
--   .keys            positions of a custom limit's keys for one grant
--   .args
--   .field           the grant's field, whatever the ledger's form
-- Custom limits, by type: `check`, `take`, `undo` and `quota`, each a function of keys, arguments and the grant.
local customLimits = {}
-- @custom-limits

-- Runs a function of a custom limit: whether it ran, and what it returned. Its fault is that limit's alone.
local function ask(type, part, given, grant)
  local custom = customLimits[type]
  if custom and not custom[part] then return true, nil end
  if not given.named then
    given.named = {}
    for k = 1, #given[GIVEN.keys] do
      given.named[k] = KEYS[others + given[GIVEN.keys][k]]
    end
  end
  return pcall(custom and custom[part], given.named, given[GIVEN.args], grant)
end

-- What a script's error says: a string, or of a failed command a table.
local function faultOf(thrown)
  return type(thrown) == 'table' and thrown.err or tostring(thrown)
end
