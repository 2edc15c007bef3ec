import { defaultShards } from '@laurel/leaderboard/internals';
import type { FactoryProvider } from '@nestjs/common';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { RedisConnection } from '../redis/redis-connection';
import { ARCHIVE, STANDINGS_ARCHIVE, type StandingsArchive } from './archive/standings-archive';
import { RedisArchive } from './redis-archive/redis-archive';
import { SETTLEMENT_SETTINGS, type SettlementSettings } from './settlement.options';

export const archiveProvider: FactoryProvider<StandingsArchive> = {
  provide: ARCHIVE,
  inject: [{ token: STANDINGS_ARCHIVE, optional: true }, RedisConnection, ACTIVITY_SETTINGS, SETTLEMENT_SETTINGS],
  useFactory: (
    bound: StandingsArchive | undefined,
    { client }: RedisConnection,
    { prefix, shards, clock }: ActivitySettings,
    { archiveRetentionMs }: SettlementSettings,
  ) => {
    const retention = archiveRetentionMs === undefined ? 'default' : archiveRetentionMs;
    return bound ?? new RedisArchive(client, { prefix, shards: shards ?? defaultShards(client), clock, retention });
  },
};
