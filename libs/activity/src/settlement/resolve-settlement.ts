import type { SettlementConfig } from '../options/activity.options';
import { listenerNamePattern, listenerNameRule } from './settled-listener';
import {
  anyDuration,
  checkedList,
  checkedText,
  checkedUnique,
  checkedWhole,
  optionError,
  optionFault,
} from '../errors/check';
import type { SettlementSettings } from '../options/settings';

const names: readonly string[] = [
  'everyMs',
  'winners',
  'leaseMs',
  'archiveRetentionMs',
  'listenerTimeoutMs',
  'listeners',
] satisfies (keyof SettlementConfig)[];

/** @throws ActivityError `invalidOption` */
export function resolveSettlement(config: false | SettlementConfig = {}): SettlementSettings {
  if (config !== false && (typeof config !== 'object' || config === null)) {
    throw optionError('settlement', config, `use false, or an object with some of ${names.join(', ')}`);
  }
  const given = config === false ? {} : config;
  for (const name of Object.keys(given)) {
    if (!names.includes(name))
      throw optionFault(`settlement.${name}`, 'is unknown', `its options are ${names.join(', ')}`);
  }
  const { everyMs = 10_000, winners = 10, leaseMs = 15_000, archiveRetentionMs = null } = given;
  const { listenerTimeoutMs = 30_000, listeners = [] } = given;
  const listed = checkedList('settlement.listeners', listeners).map((name, i) =>
    checkedText(`settlement.listeners[${i}]`, name, listenerNamePattern, listenerNameRule),
  );
  checkedUnique('settlement.listeners', listed, 'name each listener once');
  return Object.freeze({
    isOn: config !== false,
    everyMs: checkedWhole('settlement.everyMs', everyMs, [10, 86_400_000]),
    winners: checkedWhole('settlement.winners', winners, [0, 1_000]),
    leaseMs: checkedWhole('settlement.leaseMs', leaseMs, [200, 600_000]),
    listenerTimeoutMs: checkedWhole('settlement.listenerTimeoutMs', listenerTimeoutMs, [100, 3_600_000]),
    listeners: Object.freeze(listed),
    archiveRetentionMs:
      archiveRetentionMs === null
        ? null
        : checkedWhole('settlement.archiveRetentionMs', archiveRetentionMs, anyDuration),
  });
}
