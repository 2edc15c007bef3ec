import { chunksOf } from '../../lists/lists';
import { keys } from '../../keys/keys';
import { readHash } from '../../redis/scan';
import type { RedisClient } from '../../redis/redis-client';
import { served } from '../../redis/served';
import type { LedgerSettings } from '../model/ledger-options';
import type { LedgerDay } from '../model/ledger.types';
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

/** What is added up of fields. */
type Totals = NonNullable<LedgerDay['totals']>;

/**
 * The fields of a day's ledger itself, and the totals of its pages. One round trip; one more where it is large. A grant
 * meanwhile may be in neither.
 */
export async function readSummary(
  redis: RedisClient,
  { prefix }: Settings,
  { tag, dayKey, member }: LedgerPlace,
): Promise<{ readonly fields: [field: string, value: string][]; readonly totals: Totals }> {
  const fields = await readHash(redis, keys.ledger(prefix, tag, dayKey, member));
  if (fields.length < ledgerFields) return { fields, totals: [] };
  const first = keys.ledgerPage(prefix, tag, dayKey, '', member);
  const page = await served(redis, first, (key) => redis.hgetall(key));
  const totals = Object.entries(page).flatMap(([name, grants]) => {
    const [, version, beginning] = /^=(\d+)(.*)$/.exec(name) ?? [];
    if (version === undefined || beginning === undefined || Number(grants) <= 0) return [];
    const points = Number(page[`+${version}${beginning}`] ?? 0);
    return [{ beginning, version: Number(version), grants: Number(grants), points }];
  });
  return { fields, totals };
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

const namesACall = 500;

/**
 * What general revokes a member's list has of fields, in their order. A round trip for each 500, two where it has
 * pages.
 */
export async function readRevokes(
  redis: RedisClient,
  { prefix, fieldNames }: Settings,
  { tag, member }: Pick<LedgerPlace, 'tag' | 'member'>,
  names: readonly string[],
): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (const some of chunksOf(names, namesACall)) {
    const list = keys.revokes(prefix, tag, member);
    const [mark, ...listed] = await served(redis, list, (key) => redis.hmget(key, '', ...some));
    const valueOf = async (name: string, i: number): Promise<string | null> => {
      const known = listed[i] ?? null;
      if (known !== null || mark == null || !fieldNames.isPaged(name)) return known;
      const pages = pathsOf(name).map((path) => keys.revokesPage(prefix, tag, path, member));
      const values = await Promise.all(pages.map((page) => served(redis, page, (key) => redis.hget(key, name))));
      return values.find((value) => value !== null) ?? null;
    };
    found.push(...(await Promise.all(some.map(valueOf))));
  }
  return found;
}
