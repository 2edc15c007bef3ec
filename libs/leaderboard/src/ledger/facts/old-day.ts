/*
 * A day past its time in memory is one text: of each field a NUL, its name, a SOH and its fact; and a NUL at the end. The
 * three characters that this takes are escaped, so field-days.lua finds a field without reading the others.
 */
const escapes: readonly (readonly [string, string])[] = [
  ['\x02', '\x02c'],
  ['\x01', '\x02b'],
  ['\x00', '\x02a'],
];
const meant: Readonly<Record<string, string>> = { a: '\x00', b: '\x01', c: '\x02' };

/** A text without the characters that old days take. */
export function escaped(text: string): string {
  return escapes.reduce((before, [from, to]) => (before.includes(from) ? before.replaceAll(from, to) : before), text);
}

/** One text of a day's fields. */
export function packDay(fields: Iterable<readonly [name: string, text: string]>): string {
  let packed = '';
  for (const [name, text] of fields) packed += `\x00${escaped(name)}\x01${escaped(text)}`;
  return packed === '' ? '' : `${packed}\x00`;
}

/** Whether a day is packed; else it lies in memory, and its date stands in the place. */
export function isPacked(text: string | null): text is string {
  return text?.charCodeAt(0) === 0;
}

/** The fields that {@link packDay} packed. */
export function unpackDay(packed: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const part of packed.slice(1, -1).split('\x00')) {
    const at = part.indexOf('\x01');
    if (at > 0) fields.set(meantBy(part.slice(0, at)), meantBy(part.slice(at + 1)));
  }
  return fields;
}

function meantBy(text: string): string {
  const [first = '', ...rest] = text.split('\x02');
  return rest.reduce((before, part) => before + (meant[part.charAt(0)] ?? '') + part.slice(1), first);
}
