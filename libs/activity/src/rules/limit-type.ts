import type { LimitType } from '@laurel/leaderboard';
import type { PreparedLimit } from '@laurel/leaderboard/internals';

/** The activity that a limit is prepared for. */
export interface LimitedActivity {
  readonly userId: string;
  readonly action: string;
  readonly subject: string;
  readonly ownerId: string | null;
  readonly occurredAt: Date;
}

/** Refuses a limit's configuration: `field` is not `allowed`. */
export type RefuseLimit = (field: string, allowed: string) => never;

/** A type of limit of the app's own. */
export interface LimitDefinition<Config> {
  /** 1 to 32 of `a-z`, `0-9`, `-` and `_`; as configurations name it. */
  readonly type: string;
  /**
   * Bodies of Lua functions of `keys`, `args` and `grant`, run in the script call that grants: {@link LimitType}.
   */
  readonly lua: Omit<LimitType, 'type'>;
  /** The fields that its configuration has beside `type`, `action` and `name`; others are refused. */
  readonly fields: readonly (keyof Config & string)[];
  /** Checks a configuration, once, when it is loaded; what it gives is what `prepare` is given. */
  readonly check: (config: Readonly<Record<string, unknown>>, refuse: RefuseLimit) => Config;
  /**
   * The keys and arguments for one activity. Keys are names within the keys of this limit and user, in the user's slot.
   * If it throws, the recording call fails before anything is recorded.
   */
  readonly prepare: (config: Config, activity: LimitedActivity) => PreparedLimit;
}

/** A type of limit as `limitTypes` takes it. */
export interface DefinedLimit {
  readonly type: string;
  readonly fields: readonly string[];
  /** Its part of the script. */
  readonly script: LimitType;
  /** Checks a configuration and gives what prepares its activities. */
  readonly resolve: (
    config: Readonly<Record<string, unknown>>,
    refuse: RefuseLimit,
  ) => (activity: LimitedActivity) => PreparedLimit;
}

/**
 * Defines a type of limit of the app's own, for the option `limitTypes`. Whether it is well-formed is seen at the
 * start.
 */
export function defineLimit<Config>(definition: LimitDefinition<Config>): DefinedLimit {
  const { type, lua, fields, check, prepare } = definition;
  return Object.freeze({
    type,
    fields,
    script: { type, ...lua },
    resolve: (config: Readonly<Record<string, unknown>>, refuse: RefuseLimit) => {
      const checked = check(config, refuse);
      return (activity: LimitedActivity) => prepare(checked, activity);
    },
  });
}
