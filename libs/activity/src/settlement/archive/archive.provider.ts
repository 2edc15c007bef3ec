import type { FactoryProvider } from '@nestjs/common';
import { RedisConnection } from '../../redis/redis-connection';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../options/settings';
import { RedisArchive } from './redis/redis-archive';
import { STANDINGS_ARCHIVE, type StandingsArchive } from './standings-archive';

/** Injects the archive in force: what the app binds to `STANDINGS_ARCHIVE`, else one in Redis. */
export const ARCHIVE = Symbol('ARCHIVE');

export const archiveProvider: FactoryProvider<StandingsArchive> = {
  provide: ARCHIVE,
  inject: [{ token: STANDINGS_ARCHIVE, optional: true }, RedisConnection, ACTIVITY_SETTINGS],
  useFactory: (bound: StandingsArchive | undefined, connection: RedisConnection, settings: ActivitySettings) => {
    const { prefix, shards, clock, settlement } = settings;
    return (
      bound ??
      new RedisArchive(connection.client, { prefix, shards, clock, retentionMs: settlement.archiveRetentionMs })
    );
  },
};
