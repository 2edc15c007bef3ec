import type { ColdLedgers } from '@laurel/leaderboard/internals';
import {
  duration,
  type EntriesOf,
  flag,
  isObject,
  nullable,
  object,
  optional,
  type OutputOf,
  read,
  value,
  whole,
} from '../schema/schema';

/** What `ColdLedgersModule.forRoot` takes. */
export interface ColdLedgersModuleOptions {
  /** Where the ledgers go. @defaultValue to Redis, compressed */
  readonly stores?: ColdStores | undefined;
  /**
   * How long after its day's end a ledger is kept, in Redis and then in the store; null keeps it. Take no less than the
   * longest leaderboard shows. @defaultValue `null`
   */
  readonly retentionMs?: number | null | undefined;
  /** Whether this instance moves old ledgers; `false` leaves that to others. All read them. @defaultValue `true` */
  readonly moves?: boolean | undefined;
  /** How often old ledgers are moved, 10 to 86,400,000. @defaultValue `21_600_000`, six hours */
  readonly everyMs?: number | undefined;
}

/** Kept as it is: it may be of any class. */
const stores = value(
  (given): given is ColdStores => isObject(given) && typeof given.of === 'function',
  'a store of cold ledgers',
);

const cold = object({
  stores: optional(stores),
  retentionMs: optional(nullable(duration), null),
  moves: optional(flag, true),
  everyMs: optional(whole(10, 86_400_000), 21_600_000),
} satisfies EntriesOf<ColdLedgersModuleOptions>);

/** {@link ColdLedgersModuleOptions} with every default filled in. */
export type ColdSettings = OutputOf<typeof cold>;

/** Injects the {@link ColdSettings}. */
export const COLD_SETTINGS = Symbol('COLD_SETTINGS');

/** @throws ActivityError `invalidOption` */
export const resolveCold = (options: ColdLedgersModuleOptions): ColdSettings =>
  read(cold, options, 'ColdLedgersModule');

/** Where the cold ledgers of all of an app's ledgers lie. */
export interface ColdStores {
  /** What they are, for commands that have to find them. Default `app`. */
  readonly name?: string;
  /** Those of one ledger, by its name: the prefix of its keys. */
  of(ledger: string): ColdLedgers;
}
