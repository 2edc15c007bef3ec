import { createHash } from 'node:crypto';

/** The numbers of include/pages.lua, which says where fields lie. */
export const ledgerFields = 127;
export const pageFields = 256;
const pageLevels = 5;

/** The pages in which a field may lie, by their paths, the first one's first. */
export function pathsOf(field: string): string[] {
  const digest = createHash('sha1').update(field).digest('hex');
  return Array.from({ length: pageLevels }, (_, level) => digest.slice(0, level));
}

/** The pages right below one. */
export function pathsBelow(path: string): string[] {
  return path.length + 1 < pageLevels ? Array.from({ length: 16 }, (_, n) => path + n.toString(16)) : [];
}
