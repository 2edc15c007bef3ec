import {
  anyDuration,
  checkedKeys,
  checkedList,
  checkedText,
  checkedUnique,
  checkedWhole,
  optionError,
} from '../errors/check';
import { listenerNamePattern, listenerNameRule } from './settled-listener';

/** What `SettlementModule.forRoot` takes, and what a factory of `forRootAsync` gives. */
export interface SettlementModuleOptions {
  /** Whether this instance settles; `false` leaves it to other instances. Past periods are read all the same. Default true. */
  readonly settles?: boolean | undefined;
  /** How often an instance looks for periods that are due. Default 10,000. */
  readonly everyMs?: number | undefined;
  /** How many winners `leaderboard.settled` names, 0 to 1,000. Default 10. */
  readonly winners?: number | undefined;
  /** After how long another instance takes over from one that died while it settled. Default 15,000. */
  readonly leaseMs?: number | undefined;
  /** How long after its end a period stays in the Redis archive; null, the default, keeps it. */
  readonly archiveRetentionMs?: number | null | undefined;
  /** How long a listener may take over one announcement, 100 to 3,600,000; then it is repeated later. Default 30,000. */
  readonly listenerTimeoutMs?: number | undefined;
  /**
   * Names of `@SettledListener`s that must acknowledge, also before the first instance that has them has started. Listeners
   * that have ever started need not be named. Default: none.
   */
  readonly listeners?: readonly string[] | undefined;
}

/** {@link SettlementModuleOptions} with every default filled in. */
export interface SettlementSettings {
  readonly settles: boolean;
  readonly everyMs: number;
  readonly winners: number;
  readonly leaseMs: number;
  readonly archiveRetentionMs: number | null;
  readonly listenerTimeoutMs: number;
  readonly listeners: readonly string[];
}

/** Injects the {@link SettlementSettings}. */
export const SETTLEMENT_SETTINGS = Symbol('SETTLEMENT_SETTINGS');

const names = [
  'settles',
  'everyMs',
  'winners',
  'leaseMs',
  'archiveRetentionMs',
  'listenerTimeoutMs',
  'listeners',
] satisfies (keyof SettlementModuleOptions)[];

/** @throws ActivityError `invalidOption` */
export function resolveSettlement(options: SettlementModuleOptions): SettlementSettings {
  checkedKeys('SettlementModule', options, names);
  const { settles = true, everyMs = 10_000, winners = 10, leaseMs = 15_000, archiveRetentionMs = null } = options;
  const { listenerTimeoutMs = 30_000, listeners = [] } = options;
  if (typeof settles !== 'boolean') throw optionError('SettlementModule.settles', settles, 'use true or false');
  const listed = checkedList('SettlementModule.listeners', listeners).map((name, i) =>
    checkedText(`SettlementModule.listeners[${i}]`, name, listenerNamePattern, listenerNameRule),
  );
  checkedUnique('SettlementModule.listeners', listed, 'name each listener once');
  return Object.freeze({
    settles,
    everyMs: checkedWhole('SettlementModule.everyMs', everyMs, [10, 86_400_000]),
    winners: checkedWhole('SettlementModule.winners', winners, [0, 1_000]),
    leaseMs: checkedWhole('SettlementModule.leaseMs', leaseMs, [200, 600_000]),
    listenerTimeoutMs: checkedWhole('SettlementModule.listenerTimeoutMs', listenerTimeoutMs, [100, 3_600_000]),
    listeners: Object.freeze(listed),
    archiveRetentionMs:
      archiveRetentionMs === null
        ? null
        : checkedWhole('SettlementModule.archiveRetentionMs', archiveRetentionMs, anyDuration),
  });
}
