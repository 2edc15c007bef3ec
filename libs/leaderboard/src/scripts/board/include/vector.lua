-- A vector is written as 11 letters a dimension that sort as bytes as the numbers do: the 64 bits of the double, all of
-- them flipped where it is negative, its sign alone where it is not, and flipped again where the dimension runs against
-- the board's order; then 6 bits a letter, the last of 4. board/layouts/lexical-layout.ts writes the same.
local letters = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
local lettersADouble = 11

local function flipped(bytes)
  for i = 1, 8 do bytes[i] = 255 - bytes[i] end
end

local function encodeDouble(number, inverse)
  local bytes = { string.byte(struct.pack('>d', number == 0 and 0 or number), 1, 8) }
  if bytes[1] >= 128 then flipped(bytes) else bytes[1] = bytes[1] + 128 end
  if inverse then flipped(bytes) end
  local text, bits, held = {}, 0, 0
  for i = 1, 8 do
    bits, held = bits * 256 + bytes[i], held + 8
    while held >= 6 do
      held = held - 6
      local letter = math.floor(bits / 2 ^ held)
      bits = bits - letter * 2 ^ held
      text[#text + 1] = string.sub(letters, letter + 1, letter + 1)
    end
  end
  local last = bits * 2 ^ (6 - held)
  text[#text + 1] = string.sub(letters, last + 1, last + 1)
  return table.concat(text)
end

local function decodeDouble(text, inverse)
  local bytes, bits, held = {}, 0, 0
  for i = 1, lettersADouble do
    bits, held = bits * 64 + string.find(letters, string.sub(text, i, i), 1, true) - 1, held + 6
    if held >= 8 and #bytes < 8 then
      held = held - 8
      bytes[#bytes + 1] = math.floor(bits / 2 ^ held)
      bits = bits % 2 ^ held
    end
  end
  if inverse then flipped(bytes) end
  if bytes[1] < 128 then flipped(bytes) else bytes[1] = bytes[1] - 128 end
  return (struct.unpack('>d', string.char(unpack(bytes))))
end

-- The sum of two vectors, nil where one of its numbers is none, or infinite. `inverse` has a letter for each dimension:
-- - where it runs against the board's order.
local function addVectors(a, b, inverse)
  local sums = {}
  for d = 1, #inverse do
    local from, against = (d - 1) * lettersADouble + 1, string.sub(inverse, d, d) == '-'
    local total = decodeDouble(string.sub(a, from, from + 10), against)
      + decodeDouble(string.sub(b, from, from + 10), against)
    -- A finite number less itself is 0, any other is none.
    if total - total ~= 0 then return nil end
    sums[d] = encodeDouble(total, against)
  end
  return table.concat(sums)
end
