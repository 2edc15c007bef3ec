import { chunksOf } from '../../lists/lists';
import { keys } from '../../keys/keys';
import { readHash } from '../../redis/scan';
import type { RedisClient } from '../../redis/redis-client';
import { served } from '../../redis/served';
import type { LedgerSettings } from '../model/ledger-options';
import { ledgerFields, pageFields, pathsBelow, pathsOf } from './paths';

type Settings = Pick<LedgerSettings, 'prefix' | 'fieldNames'>;

/** Whose ledger of which day, `yyyymmdd`. */
export interface LedgerPlace {
  readonly tag: string;
  readonly dayKey: string;
  readonly member: string;
}

/** A page, with all its fields or those that were asked for. */
export interface Page {
  readonly key: string;
  readonly fields: readonly (readonly [field: string, value: string])[];
}

const pagesAtOnce = 8;

/**
 * The complete fields of a day's ledger, those in pages too. One round trip; where there are pages, one more for each
 * eight of them. What changes meanwhile may be as it was.
 */
export async function readLedger(
  redis: RedisClient,
  settings: Settings,
  { tag, dayKey, member }: LedgerPlace,
): Promise<[field: string, value: string][]> {
  const { prefix, fieldNames } = settings;
  const fields = await readHash(redis, keys.ledger(prefix, tag, dayKey, member));
  if (fields.length < ledgerFields) return fields;
  for await (const page of pagesOf(redis, (path) => keys.ledgerPage(prefix, tag, dayKey, path, member))) {
    // Totals are no fields of grants.
    for (const [field, value] of page.fields) if (fieldNames.isPaged(field)) fields.push([field, value]);
  }
  return fields;
}

/** All pages of a hash, each before those below it. A round trip for each eight. */
export async function* pagesOf(redis: RedisClient, keyOf: (path: string) => string): AsyncGenerator<Page> {
  for (let paths = ['']; paths.length > 0;) {
    const below: string[] = [];
    for (const some of chunksOf(paths, pagesAtOnce)) {
      const read = some.map((path) => served(redis, keyOf(path), (key) => redis.hgetall(key)));
      for (const [i, found] of (await Promise.all(read)).entries()) {
        const [path = '', fields] = [some[i], Object.entries(found)];
        if (fields.length >= pageFields) below.push(...pathsBelow(path));
        if (fields.length > 0) yield { key: keyOf(path), fields };
      }
    }
    paths = below;
  }
}

/** What general revokes a member's list has of fields, in their order. One round trip, two where it has pages. */
export async function readRevokes(
  redis: RedisClient,
  { prefix, fieldNames }: Settings,
  { tag, member }: Pick<LedgerPlace, 'tag' | 'member'>,
  names: readonly string[],
): Promise<(string | null)[]> {
  if (names.length === 0) return [];
  const [mark, ...found] = await served(redis, keys.revokes(prefix, tag, member), (key) =>
    redis.hmget(key, '', ...names),
  );
  const asked =
    mark == null ? [] : names.flatMap((name, at) => (found[at] == null && fieldNames.isPaged(name) ? [at] : []));
  await Promise.all(
    asked.map(async (at) => {
      const name = names[at] as string;
      const pages = pathsOf(name).map((path) => keys.revokesPage(prefix, tag, path, member));
      const values = await Promise.all(pages.map((page) => served(redis, page, (key) => redis.hget(key, name))));
      found[at] = values.find((value) => value !== null) ?? null;
    }),
  );
  return found.map((value) => value ?? null);
}
