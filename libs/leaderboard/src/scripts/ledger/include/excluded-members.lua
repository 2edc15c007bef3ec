-- Finds out which of this call's members are excluded or being restored, and reads their entries, wherever they lie.
local function findExcluded(excluded)
  local states = #names > 0 and call('ZMSCORE', excluded, unpack(names)) or {}
  for m = 1, #names do
    if states[m] then
      -- What lies beside the boards was not looked at when room was found on them.
      isExcluded[m], isRoomy = states[m] == '1', false
      for b = 1, #boards do
        -- Who has no entry on a board may have one beside it.
        if found[b][m] == false then
          found[b][m] = nil
          scoreOn(b, m)
        end
      end
    end
  end
end
