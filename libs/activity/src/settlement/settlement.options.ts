import {
  duration,
  type EntriesOf,
  flag,
  list,
  nullable,
  object,
  optional,
  type OutputOf,
  read,
  text,
  whole,
} from '../schema/schema';
import { listenerNameAllowed, listenerNamePattern } from './settled-listener';

/** What `SettlementModule.forRoot` takes, and what a factory of `forRootAsync` gives. */
export interface SettlementModuleOptions {
  /**
   * Whether this instance settles; `false` leaves it to other instances. Past periods are read all the same. Default
   * true.
   */
  readonly settles?: boolean | undefined;
  /** How often an instance looks for periods that are due. Default 10,000. */
  readonly everyMs?: number | undefined;
  /** How many winners `leaderboard.settled` names, 0 to 1,000. Default 10. */
  readonly winners?: number | undefined;
  /** After how long another instance takes over from one that died while it settled. Default 15,000. */
  readonly leaseMs?: number | undefined;
  /** How long after its end a period stays in the Redis archive; null, the default, keeps it. */
  readonly archiveRetentionMs?: number | null | undefined;
  /**
   * How long a listener may take over one announcement, 100 to 3,600,000; then it is repeated later. Default 30,000.
   */
  readonly listenerTimeoutMs?: number | undefined;
  /**
   * Names of `@SettledListener`s that must acknowledge, also before the first instance that has them has started.
   * Listeners that have ever started need not be named. Default: none.
   */
  readonly listeners?: readonly string[] | undefined;
}

const settlement = object({
  settles: optional(flag, true),
  everyMs: optional(whole(10, 86_400_000), 10_000),
  winners: optional(whole(0, 1_000), 10),
  leaseMs: optional(whole(200, 600_000), 15_000),
  archiveRetentionMs: optional(nullable(duration), null),
  listenerTimeoutMs: optional(whole(100, 3_600_000), 30_000),
  listeners: optional(
    list(text(listenerNamePattern, listenerNameAllowed), { unique: [{ advice: 'name each listener once' }] }),
    [],
  ),
} satisfies EntriesOf<SettlementModuleOptions>);

/** {@link SettlementModuleOptions} with every default filled in. */
export type SettlementSettings = OutputOf<typeof settlement>;

/** Injects the {@link SettlementSettings}. */
export const SETTLEMENT_SETTINGS = Symbol('SETTLEMENT_SETTINGS');

/** @throws ActivityError `invalidOption` */
export const resolveSettlement = (options: SettlementModuleOptions): SettlementSettings =>
  read(settlement, options, 'SettlementModule');
