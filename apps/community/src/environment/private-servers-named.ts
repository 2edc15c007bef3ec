import { variableFault } from '@laurel/settings';

/** Which servers no variable names. */
export interface MissingServers {
  readonly missing: { readonly redis: boolean; readonly database: boolean };
  /** Where those that are started instead keep their files. */
  readonly dataDir: string;
  /** Variables that may have been meant to name them. */
  readonly misses: readonly string[];
  readonly isProduction: boolean;
}

/**
 * One line for each server that is started because no variable names one.
 * @throws ActivityError `invalidOption` in production: an empty private server is never wanted there.
 */
export function namePrivateServers({ missing, dataDir, misses, isProduction }: MissingServers): string[] {
  const started = [
    ...(missing.redis ? [{ name: 'REDIS_URL', server: 'Redis' }] : []),
    ...(missing.database ? [{ name: 'DATABASE_URL', server: 'PostgreSQL' }] : []),
  ];
  const [first] = started;
  if (first !== undefined && isProduction) {
    const way = `name a ${first.server}, as none is started where NODE_ENV is production`;
    throw variableFault(first.name, 'is not set', [way, ...misses].join('. '));
  }
  return started.map(({ name, server }) => `${name} is not set: a private ${server} is started under ${dataDir}`);
}
