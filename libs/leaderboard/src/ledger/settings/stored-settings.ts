import { keys } from '../../keys/keys';
import { type RedisClient, checkedClient } from '../../redis/redis-client';
import { served } from '../../redis/served';
import type { LedgerSettings } from '../model/ledger-options';
import type { LedgerBoard } from '../model/ledger.types';
import { termsIn, type LedgerTerms } from './terms';

/** A board as it stands in Redis. */
export type StoredBoard = Required<
  Omit<LedgerBoard, 'where' | 'freezes' | 'floor' | 'maxPoints' | 'endedAtMs' | 'isMadeAnew'>
>;

/** How the data of a ledger was made. */
export interface StoredSettings {
  readonly shards: number;
  /** The zone in which its days and periods are cut. */
  readonly timezone: string;
  readonly maxPoints: number;
  /** The boards that the latest start fed, in its order. */
  readonly boards: readonly StoredBoard[];
  /** The terms of the latest start; null: it had none. */
  readonly terms: LedgerTerms | null;
  /** As the option `about` of the latest start gave it; null: it gave none. */
  readonly about: string | null;
}

/** The hash of the layout, as Redis has it. */
export type LayoutFields = Readonly<Record<string, string>>;

/** The field that has a board. */
export const boardField = (name: string): string => `board:${name}`;

/** The field with the moment since which a board is fed, where there were ledgers before; empty: it has them all. */
export const sinceField = (board: string): string => `since:${board}`;

/** The field with the first day whose ledgers may lie in memory without a note in `old`: all before are packed. */
export const unpackedField = 'unpacked';

/** The hash of a prefix. One round trip. */
export function readLayout(redis: RedisClient, prefix: string): Promise<LayoutFields> {
  return served(redis, keys.layout(prefix), (key) => redis.hgetall(key));
}

/**
 * Reads how the data under a prefix was made, as its ledger stored it; null if there is no ledger. One round trip, two
 * with terms.
 * @param part the ledger's option of this name, if it has one.
 */
export async function readStoredSettings(
  redis: RedisClient,
  prefix: string,
  part: string | null = null,
): Promise<StoredSettings | null> {
  const own = part === null ? prefix : `${prefix}@${part}`;
  const fields = await readLayout(checkedClient(redis, 'the prefix alone'), own);
  const { shards, timezone = 'UTC', maxPoints, boards = '[]', about, terms } = fields;
  if (shards === undefined) return null;
  const ofTerms = terms === undefined ? null : await served(redis, keys.terms(own), (key) => redis.hget(key, terms));
  return {
    shards: Number(shards),
    timezone,
    maxPoints: Number(maxPoints),
    boards: (JSON.parse(boards) as readonly string[]).flatMap((name) => storedBoard(fields, name) ?? []),
    terms: ofTerms === null ? null : termsIn(Number(terms), ofTerms),
    about: about ?? null,
  };
}

/** A board of the hash, whether or not the latest start fed it. */
export function storedBoard(fields: LayoutFields, name: string): StoredBoard | null {
  const text = fields[boardField(name)];
  return text === undefined ? null : { name, ...(JSON.parse(text) as Omit<StoredBoard, 'name'>) };
}

/** The fields that a ledger of these settings stores. */
export function layoutFields(settings: LedgerSettings): LayoutFields {
  const { timezone, maxPoints, boards, about } = settings;
  return {
    timezone,
    maxPoints: String(maxPoints),
    boards: JSON.stringify(boards.map(({ name }) => name)),
    ...(about !== null && { about }),
    ...Object.fromEntries(boards.map((board) => [boardField(board.name), boardText(board)])),
  };
}

function boardText(board: LedgerBoard): string {
  const { period, partition = null, tallyOf = null, counts = null, retentionMs, latenessMs } = board;
  const stored: Omit<StoredBoard, 'name'> = { period, partition, tallyOf, counts, retentionMs, latenessMs };
  return JSON.stringify(stored);
}
