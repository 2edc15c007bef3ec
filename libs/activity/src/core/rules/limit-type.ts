/** An activity that a limit judges, or one that it let in. */
export interface LimitedActivity {
  /** Null: of a long subject only a digest is kept. */
  readonly subject: string | null;
  /** The points that it asks for, or was given. */
  readonly points: number;
  readonly at: Date;
  /** The subject's owner, where the activity names one. */
  readonly ownerId: string | null;
}

/** Refuses a limit's configuration: `field` is not `allowed`. */
export type RefuseLimit = (field: string, allowed: string) => never;

/** The activities that a limit judges by: a user's in the window that ends at the present one, of some kind. */
export interface LimitWindow {
  /** 1 to 2,678,400,000: 31 days. */
  readonly windowMs: number;
  /** All of them, those of one subject, or those of one owner: as a sliding limit's. */
  readonly per: 'action' | 'subject' | 'pair';
}

/** A type of limit of the app's own: pure functions, asked again and again for the same activities. */
export interface LimitDefinition<Config> {
  /** 1 to 32 of `a-z`, `0-9`, `-` and `_`; as configurations name it. */
  readonly type: string;
  /** The fields that its configuration has beside `type`, `action` and `name`; others are refused. */
  readonly fields: readonly (keyof Config & string)[];
  /** Checks a configuration, once, when it is loaded; what it gives is what the other functions are given. */
  readonly check: (config: Readonly<Record<string, unknown>>, refuse: RefuseLimit) => Config;
  /** The activities that it looks at, by its configuration. */
  readonly window: (config: Config) => LimitWindow;
  /**
   * Whether an activity may count: true; or when it could at the earliest; false, where that is not known. If it
   * throws, the activity is `limited`, and the error is logged.
   * @param given what counts or counted in its window, the earliest first, taken back since or not.
   */
  readonly allows: (
    config: Config,
    activity: LimitedActivity,
    given: readonly LimitedActivity[],
  ) => true | Date | false;
  /** How much is used, for quotas. Default: such limits stand in no quota. */
  readonly quota?: (
    config: Config,
    given: readonly LimitedActivity[],
    at: Date,
  ) => { readonly used: number; readonly max: number; readonly allowedAgainAt?: Date | null };
}

/** A type of limit with a configuration that was checked. */
export interface ConfiguredLimit extends LimitWindow {
  readonly allows: (activity: LimitedActivity, given: readonly LimitedActivity[]) => true | Date | false;
  readonly quota?: (
    given: readonly LimitedActivity[],
    at: Date,
  ) => { readonly used: number; readonly max: number; readonly allowedAgainAt?: Date | null };
}

/** A type of limit as `limitTypes` takes it. */
export interface DefinedLimit {
  readonly type: string;
  readonly fields: readonly string[];
  /** Checks a configuration. */
  readonly resolve: (config: Readonly<Record<string, unknown>>, refuse: RefuseLimit) => ConfiguredLimit;
}

/** Defines a type of limit of the app's own, for the option `limitTypes`. */
export function defineLimit<Config>(definition: LimitDefinition<Config>): DefinedLimit {
  const { type, fields, check, window, allows, quota } = definition;
  return Object.freeze({
    type,
    fields,
    resolve: (config: Readonly<Record<string, unknown>>, refuse: RefuseLimit): ConfiguredLimit => {
      const checked = check(config, refuse);
      return {
        ...window(checked),
        allows: (activity, given) => allows(checked, activity, given),
        ...(quota && { quota: (given, at) => quota(checked, given, at) }),
      };
    },
  });
}
