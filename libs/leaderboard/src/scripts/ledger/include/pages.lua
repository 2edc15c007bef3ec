-- Fields of which a day may have any number, those that other members name an owner by, lie in the ledger until it has
-- `ledgerFields`, and from then on in pages: hashes of at most `pageFields`. The first page has the empty path; a field
-- that finds a page full goes on to one of 16 below it, by the next letter of its digest. No field ever moves, so it is
-- found again on its way down. General revokes are kept likewise.
--   A page keeps totals of all fields in it and below it, by their rules' version and what they begin with up to the
-- second colon: `=<version><beginning>` how many count, `+<version><beginning>` their points; and `@`, in ms,
-- a moment that nothing which stands there came later than. A total is no proof: audit-page.lua compares it with the
-- fields.
-- @record PAGED
--   .field
--   .pages           position of the first of the pages on the field's way; 0: the caller knows of none
local ledgerFields, pageFields, pageLevels = 127, 256, 5

-- By positions of ledgers and lists of revokes, the KEYS of the pages in which fields were found to lie.
local pagesOf = {}

-- The first of the pages on a field's way that has the field or room for it, from a position on.
local function pageFor(position, field, pages)
  local last = others + pages + pageLevels - 1
  for place = others + pages, last do
    local length = call('HLEN', KEYS[place])
    if length < pageFields or place == last or call('HEXISTS', KEYS[place], field) == 1 then
      pagesOf[position] = pagesOf[position] or {}
      pagesOf[position][field] = place
      return place, length == 0
    end
  end
end

-- In which of KEYS such a field of a ledger lies, or is to lie, and whether that is a page that is not there yet; nil:
-- in a page, of which the caller knows none. Without the counts, which come and go, a ledger never gets smaller.
local function hashFor(position, field, pages)
  local ledger = KEYS[others + position]
  local length = call('HLEN', ledger)
  if length < ledgerFields or call('HEXISTS', ledger, field) == 1 then return others + position, false end
  if length == ledgerFields and call('HEXISTS', ledger, '') == 1 then return others + position, false end
  if pages == 0 then return nil end
  return pageFor(position, field, pages)
end

-- The page in which a field of a ledger, or of a list of revokes, was found to lie; nil: in none.
local function pageIn(position, field)
  return pagesOf[position] and pagesOf[position][field]
end

-- Notes in the totals on a field's way that so many fields more count, with these points; and since when one stands, in
-- ms, 0: none. A damaged total stops nothing.
local function addTotal(pages, place, field, version, fields, points, ms)
  local name = (version == '' and '1' or string.match(version, '%d+')) .. (string.match(field, '^[^:]*:[^:]*:') or '')
  for page = others + pages, place do
    if fields ~= 0 then redis.pcall('HINCRBY', KEYS[page], '=' .. name, fields) end
    if points ~= 0 then redis.pcall('HINCRBY', KEYS[page], '+' .. name, points) end
    if ms > (tonumber(call('HGET', KEYS[page], '@') or nil) or 0) then call('HSET', KEYS[page], '@', string.format('%d', ms)) end
  end
end

-- Pages expire with their ledger.
local function keepPage(place, expireAtMs)
  if expireAtMs > 0 then call('PEXPIREAT', KEYS[place], expireAtMs) end
end
