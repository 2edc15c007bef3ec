-- The totals that the first page of a ledger has of all its pages, as include/pages.lua describes them, one after the
-- other, flat: the beginning of their fields, how many count, and their points; and a moment
-- that nothing which stands came later than; nil: none.
local pageTotals = {}
local function totalsOf(ledger)
  local known = pageTotals[ledger]
  if known then return known[1], known[2] end
  local totals, latest = {}, nil
  -- A ledger of fewer fields has no pages.
  local all = #fieldsOf(ledger) >= 2 * 127 and call('HGETALL', KEYS[ledgersFrom + #days + ledger]) or {}
  for i = 1, #all, 2 do
    local kind, beginning = string.match(all[i], '^([=+])%d+(.*)$')
    local number = tonumber(all[i + 1]) or 0
    if all[i] == '@' then latest = number end
    if kind then
      totals[#totals + 1], totals[#totals + 2], totals[#totals + 3] = beginning, kind == '=' and number or 0, kind == '+' and number or 0
    end
  end
  pageTotals[ledger] = { totals, latest }
  return totals, latest
end
