import { createHash } from 'node:crypto';

/** The page of a crowded day in which a field lies: of 256, by the first two letters of its digest. */
export function pageOf(name: string): string {
  return createHash('sha1').update(name).digest('hex').slice(0, 2);
}

/** Every page. */
export const allPages: readonly string[] = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
