import { activityEnvironment, type ActivityModuleOptions } from '@laurel/activity';
import { type PostgresServer, startPostgres } from '@laurel/servers';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { join } from 'node:path';
import { createApp } from '../../../apps/community/src/create-app';
import { freshPrefix, testRedisUrl } from '../../support/redis';

/** The boards of the community, and what it keeps for its titles. */
const usual = activityEnvironment({});

export const apiKey = 'the-key-of-the-tests';

/** The real app on a real Redis and a real PostgreSQL, asked without a network. */
export class TestCommunity {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly postgres: PostgresServer,
  ) {}

  /** @param options beside those of the app's own: its keys are nobody else's, and every read is fresh. */
  static async start(options: Partial<ActivityModuleOptions> = {}): Promise<TestCommunity> {
    const postgres = await startPostgres();
    try {
      const activity: ActivityModuleOptions = {
        redis: options.redis ?? { url: testRedisUrl() },
        prefix: freshPrefix(),
        ...usual,
        cacheMs: 0,
        apiKey,
        ...options,
      };
      const app = await createApp({
        databaseUrl: postgres.url,
        authSecret: 'a-secret-of-the-tests',
        outboxRetentionDays: 31,
        activity,
        webFolder: join(__dirname, '../../../dist/apps/web'),
      });
      await app.init();
      await app.getHttpAdapter().getInstance().ready();
      return new TestCommunity(app, postgres);
    } catch (error) {
      await postgres.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.postgres.stop();
  }
}
