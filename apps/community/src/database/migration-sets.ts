import { archiveMigrations } from '@laurel/archive';
import { outboxMigrations } from '@laurel/outbox';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A step of the database's tables, applied once, in a transaction of its own. */
export interface Migration {
  /** Unique among those of its owner; stays the same for ever. */
  readonly name: string;
  /** Statements without parameters. */
  readonly up: string;
}

/** Whose tables a migration makes. */
export type MigrationOwner = 'outbox' | 'archive' | 'community';

/** The migrations of one owner, in their order. */
export interface MigrationSet {
  readonly owner: MigrationOwner;
  readonly migrations: readonly Migration[];
}

/** Those of the libraries come first: the community's own may refer to their tables. */
export function migrationSets(folder = join(__dirname, 'migrations')): readonly MigrationSet[] {
  return [
    { owner: 'outbox', migrations: outboxMigrations },
    { owner: 'archive', migrations: archiveMigrations },
    { owner: 'community', migrations: readMigrations(folder) },
  ];
}

/** What drizzle-kit calls the journal: the names of a folder's migrations in their order. */
interface Journal {
  readonly entries: readonly { readonly tag: string }[];
}

function readMigrations(folder: string): readonly Migration[] {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as Journal;
  return entries.map(({ tag }) => ({ name: tag, up: readFileSync(join(folder, `${tag}.sql`), 'utf8') }));
}
