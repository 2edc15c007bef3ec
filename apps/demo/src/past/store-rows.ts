import { getTableName, sql } from 'drizzle-orm';
import type { Database } from '../../../community/src/database/database';
import { articles, comments, follows, reactions, users } from '../../../community/src/database/schema';
import type { Past } from './past';

/** Rows in one INSERT: PostgreSQL takes 65,535 values. */
const rowsAtOnce = 5_000;

/** Stores what a past left in the database, all or nothing. `hashes`: of its people's passwords, in their order. */
export async function storeRows(database: Database, past: Past, hashes: readonly string[]): Promise<void> {
  const people = past.people.map(({ id, joinedAt, of: { name, text = null } }, index) => {
    return { id, name, look: sql`name_look(${name})`, text, passwordHash: hashes[index] ?? '', joinedAt };
  });
  await database.transaction(async (into) => {
    // Ids are the past's own: what is recorded names them.
    await into.insert(users).overridingSystemValue().values(people);
    for (const rows of someOf(past.articles)) await into.insert(articles).overridingSystemValue().values(rows);
    for (const rows of someOf(past.comments)) await into.insert(comments).overridingSystemValue().values(rows);
    for (const rows of someOf(past.reactions)) await into.insert(reactions).values(rows);
    for (const rows of someOf(past.follows)) await into.insert(follows).values(rows);
    for (const table of [users, articles, comments]) {
      const sequence = sql`pg_get_serial_sequence(${getTableName(table)}, 'id')`;
      await into.execute(sql`SELECT setval(${sequence}, (SELECT max(id) FROM ${table}))`);
    }
  });
}

function* someOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) yield rows.slice(from, from + rowsAtOnce);
}
