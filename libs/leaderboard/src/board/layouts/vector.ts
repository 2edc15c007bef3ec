/** 64 letters of ASCII that sort as bytes as they count. */
const letters = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** Letters that one double takes: 64 bits at 6 bits a letter, the last of 4. */
export const lettersADouble = 11;

const allBits = 0xffff_ffff_ffff_ffffn;
const signBit = 0x8000_0000_0000_0000n;
const memory = new DataView(new ArrayBuffer(8));

/**
 * `number` as letters that sort as bytes as the numbers do, infinities included; -0 is 0. `inverse` turns their order
 * round. The include `vector.lua` writes the same.
 */
export function encodeDouble(number: number, inverse: boolean): string {
  memory.setFloat64(0, number === 0 ? 0 : number);
  let bits = memory.getBigUint64(0);
  bits ^= bits >= signBit ? allBits : signBit;
  if (inverse) bits ^= allBits;
  bits <<= 2n;
  let text = '';
  for (let shift = 60n; shift >= 0n; shift -= 6n) text += letters[Number((bits >> shift) & 63n)] as string;
  return text;
}

/** The number that {@link encodeDouble} wrote. */
export function decodeDouble(text: string, inverse: boolean): number {
  let bits = 0n;
  for (const letter of text) bits = (bits << 6n) | BigInt(letters.indexOf(letter));
  bits >>= 2n;
  if (inverse) bits ^= allBits;
  bits ^= bits >= signBit ? signBit : allBits;
  memory.setBigUint64(0, bits);
  return memory.getFloat64(0);
}
