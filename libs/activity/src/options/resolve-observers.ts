import { checkedKeys, checkedWhole } from '../errors/check';

/** How listeners to `activity.recorded` are served. */
export interface ObserverConfig {
  /** How many events each listener may be at work on at once, 1 to 1,000. Default 8. */
  readonly concurrency?: number;
  /** Most events that may wait for listeners, 1 to 1,000,000; more slow down who records. Default 10,000. */
  readonly maxWaiting?: number;
  /** How long a listener may take over one event before it is no longer waited for, 100 to 3,600,000. Default 30,000. */
  readonly timeoutMs?: number;
}

/** An {@link ObserverConfig} with every default filled in. */
export type ObserverSettings = Required<ObserverConfig>;

/** @throws ActivityError `invalidOption` */
export function resolveObservers(config: ObserverConfig = {}): ObserverSettings {
  checkedKeys('observers', config, ['concurrency', 'maxWaiting', 'timeoutMs']);
  const { concurrency = 8, maxWaiting = 10_000, timeoutMs = 30_000 } = config;
  return Object.freeze({
    concurrency: checkedWhole('observers.concurrency', concurrency, [1, 1_000]),
    maxWaiting: checkedWhole('observers.maxWaiting', maxWaiting, [1, 1_000_000]),
    timeoutMs: checkedWhole('observers.timeoutMs', timeoutMs, [100, 3_600_000]),
  });
}
