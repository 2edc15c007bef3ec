import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';

export const DATABASE = Symbol('DATABASE');
export type Database = NodePgDatabase & { readonly $client: Pool };

/** One pool for the app, ended with it. */
@Global()
@Module({
  providers: [
    {
      provide: DATABASE,
      useFactory: (): Database =>
        drizzle(new Pool({ connectionString: process.env.DATABASE_URL ?? 'postgres://localhost:5432/app' })),
    },
  ],
  exports: [DATABASE],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async onApplicationShutdown(): Promise<void> {
    await this.database.$client.end();
  }
}
