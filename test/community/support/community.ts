import { type ActivityModuleOptions } from '@laurel/activity';
import { activityEnvironment } from '@laurel/settings';
import type { PostgresServer } from '@laurel/servers';
import type { LoggerService } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { join } from 'node:path';
import { Pool } from 'pg';
// Private: the app has no door but its program; what suites start of it, and do to it, stands here once.
import { createApp } from '../../../apps/community/src/create-app';
import { Draining } from '../../../apps/community/src/lifecycle/stop-gracefully';
import type { CommunityOptions } from '../../../apps/community/src/options/community.options';
import { ActivityRelay } from '../../../apps/community/src/outbox/activity-relay';
import { testZone } from '../../support/midday-zone';
import { patient } from '../../support/patient';
import { startTestPostgres } from '../../support/postgres';
import { freshPrefix, testRedisUrl } from '../../support/redis';

/** The boards of the community, and what it keeps for its titles. */
const usual = activityEnvironment({});

export const apiKey = 'the-key-of-the-tests';

/** Signs users' tokens. */
export const authSecret = 'a-secret-of-the-tests';

/** The module's options; an `apiKey` of null is none. */
type TestOptions = Partial<Omit<ActivityModuleOptions, 'apiKey'>> & { readonly apiKey?: string | null };

/** The real app on a real Redis and a real PostgreSQL, asked without a network. */
export class TestCommunity {
  /** The test's own connections to its database, which may end before them. */
  readonly database: Pool;
  private closing: Promise<void> | undefined;

  private constructor(
    readonly app: NestFastifyApplication,
    readonly postgres: PostgresServer,
    readonly prefix: string,
  ) {
    this.database = new Pool({ connectionString: postgres.url }).on('error', () => undefined);
  }

  /**
   * @param options beside the app's: its keys are separate, every read is fresh, and no day ends meanwhile. `own`: the
   * app's environment.
   */
  static async start(
    options: TestOptions = {},
    own: Partial<Omit<CommunityOptions, 'activity'>> = {},
    logger: LoggerService | false = false,
  ): Promise<TestCommunity> {
    const { apiKey: key = apiKey, ...others } = options;
    const postgres = await startTestPostgres();
    let app: NestFastifyApplication | undefined;
    try {
      const activity: ActivityModuleOptions = {
        redis: options.redis ?? { url: testRedisUrl() },
        prefix: freshPrefix(),
        ...usual,
        timezone: testZone,
        cacheMs: 0,
        ...patient,
        ...(key !== null && { apiKey: key }),
        ...others,
      };
      app = await createApp(
        {
          databaseUrl: postgres.url,
          authSecret,
          outboxRetentionDays: 31,
          metricsKeptMs: 0,
          outcomeWaitMs: 60_000,
          activity,
          webFolder: join(__dirname, '../../../dist/apps/web'),
          ...own,
        },
        logger,
      );
      await app.init();
      await app.getHttpAdapter().getInstance().ready();
      return new TestCommunity(app, postgres, activity.prefix ?? '');
    } catch (error) {
      await app?.close();
      await postgres.stop();
      throw error;
    }
  }

  /** As a signal to its process begins it. */
  drain(): void {
    this.app.get(Draining).begin();
  }

  /** Forgets what was handed over long ago, as it does every hour. */
  forget(): Promise<unknown> {
    return this.app.get(ActivityRelay).forget();
  }

  /** Ends the app alone. */
  close(): Promise<void> {
    return (this.closing ??= this.app.close());
  }

  async stop(): Promise<void> {
    await this.close();
    await this.database.end();
    await this.postgres.stop();
  }
}

/** A community of a suite, or of a `describe`. */
export type OwnCommunity = Omit<TestCommunity, 'stop'>;

/**
 * A community that is there from a suite's first test to its last.
 * @param given as {@link TestCommunity.start} takes it, looked at when what was started before is there.
 */
export function ownCommunity(given: () => Parameters<typeof TestCommunity.start> = () => []): OwnCommunity {
  let community: TestCommunity;
  beforeAll(async () => {
    community = await TestCommunity.start(...given());
  });
  afterAll(() => community?.stop());
  return {
    get app() {
      return community.app;
    },
    get postgres() {
      return community.postgres;
    },
    get database() {
      return community.database;
    },
    get prefix() {
      return community.prefix;
    },
    drain: () => community.drain(),
    forget: () => community.forget(),
    close: () => community.close(),
  };
}
