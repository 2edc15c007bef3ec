import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';
import { createDatabase, DATABASE } from './database';
import { createPool } from './pool';

/** The database, let go after the last request. */
@Global()
@Module({
  providers: [
    {
      provide: Pool,
      inject: [COMMUNITY_OPTIONS],
      useFactory: ({ databaseUrl, activity }: CommunityOptions) => createPool(databaseUrl, activity.commandTimeoutMs),
    },
    { provide: DATABASE, inject: [Pool], useFactory: createDatabase },
  ],
  exports: [DATABASE, Pool],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly pool: Pool) {}

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
