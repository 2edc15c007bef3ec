import type { ArchiveMigration } from './archive-migration';
import { months } from './months';
import { standings } from './standings';
import { titles } from './titles';

/**
 * The tables and functions of the archive: the app runs each `up` once, in this order, each in a
 * transaction of its own, so that no step holds the locks of another. A later version may add a step at the end; a step
 * that is there never changes.
 */
export const archiveMigrations: readonly ArchiveMigration[] = [...standings, ...months, ...titles];
