import { Global, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Pool } from 'pg';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';
import { createDatabase } from './create-database';
import { DATABASE } from './database';
import { DatabaseHealth } from './database-health';
import { migrate } from './migrate';
import { createPool } from './pool';

/** The database: brought up to date before the app takes requests, let go after the last one. */
@Global()
@Module({
  providers: [
    {
      provide: Pool,
      inject: [COMMUNITY_OPTIONS],
      useFactory: ({ databaseUrl }: CommunityOptions) => createPool(databaseUrl),
    },
    { provide: DATABASE, inject: [Pool], useFactory: createDatabase },
    DatabaseHealth,
  ],
  exports: [DATABASE, DatabaseHealth, Pool],
})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly pool: Pool,
    @Inject(COMMUNITY_OPTIONS) private readonly options: CommunityOptions,
  ) {}

  async onModuleInit(): Promise<void> {
    await migrate(this.options.databaseUrl);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
