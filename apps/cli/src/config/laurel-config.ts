import type { ActivityModuleOptions } from '@laurel/activity';

/**
 * What `laurel.config.ts` says of an app: where its data lies, and what only its code has, such as its own types of
 * limits. All of it may be left out: what the app has stored beside its data, and the environment, have the rest.
 */
export interface LaurelConfig extends Partial<ActivityModuleOptions> {
  /** The app's PostgreSQL, for `replay` and `prune`. Default: `DATABASE_URL`. */
  readonly databaseUrl?: string | undefined;
}

/** The default export of a configuration file: the configuration, or a function that returns it. */
export type LaurelConfigExport = LaurelConfig | (() => LaurelConfig | Promise<LaurelConfig>);

/** Gives back what it is given, so that an editor knows the names: `export default defineConfig({ … })`. */
export function defineConfig<Config extends LaurelConfigExport>(config: Config): Config {
  return config;
}
