import {
  AccountModule,
  ActivityHealth,
  ActivityModule,
  AdminModule,
  LiveRulesModule,
  ModerationModule,
  SettlementModule,
} from '@laurel/activity';
import { ReportsModule } from '@laurel/reports';
import { RewardsModule } from '@laurel/activity/rewards';
import { settlementEnvironment } from '@laurel/settings';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { CommandError } from '../errors/command-error';
import { appOptions, type AppOptions } from './app-options';
import type { CommandContext } from './command-context';
import { Takeovers } from '../takeover/takeovers';
import { openRedis, type OpenRedis } from './open-redis';
import type { Access } from './access';

/** The activity module, opened for one command. */
export interface OpenActivity {
  /** The Redis that the data lies in. */
  readonly redis: Pick<OpenRedis, 'client' | 'name'>;
  get<T>(type: Type<T>): T;
  /** Flushes, disconnects, and stops the private Redis where the command started it. */
  close(): Promise<void>;
}

/** A command has time: it outlasts a failover, and a large append-only file being loaded. */
const patienceMs = 60_000;

/**
 * Opens the module on the data of an app, with the settings that the app has stored there, on the Redis that the
 * environment names; where that names none, on the private one in the data folder.
 * @param own what the command knows itself.
 * @throws CommandError where a variable is bad, or contradicts what is stored, Redis does not answer, or
 * nothing is stored there and the command does not begin anything.
 */
export async function openActivity(
  context: CommandContext,
  access: Access,
  own: Pick<AppOptions, 'databaseId'> = {},
): Promise<OpenActivity> {
  const found = await openRedis(context, access);
  try {
    const stored = await appOptions(found, access, context);
    if (stored) return await openModule(found, { ...stored, ...own, storesSettings: false }, context);
    // How late an import may come is no property of the data that it begins.
    const { latenessMs: _, ...begun } = found.environment;
    await (await openModule({ ...found, close: () => Promise.resolve() }, { ...begun, ...own }, context)).close();
    const options = await appOptions(found, access, context);
    return await openModule(found, { ...options, storesSettings: false }, context);
  } catch (error) {
    await found.close();
    if (error instanceof CommandError) throw error;
    throw new CommandError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The modules of one command. */
@Module({})
class CommandModule {}

async function openModule(found: OpenRedis, options: AppOptions, context: CommandContext): Promise<OpenActivity> {
  const { env } = context;
  const activity = ActivityModule.forRoot({
    ...options,
    imports: [EventEmitterModule.forRoot()],
    redis: found.redis,
    recordTimeoutMs: patienceMs,
    controllers: false,
  });
  const imports = [
    activity,
    // The modules that commands use, the rules in force, and the modules whose data an erasure removes.
    AccountModule.forRoot({ activity }),
    AdminModule.forRoot({ activity }),
    LiveRulesModule.forRoot({ activity }),
    ModerationModule.forRoot({ activity }),
    RewardsModule.forRoot({ activity }),
    // A command settles when it is told to.
    SettlementModule.forRoot({ ...settlementEnvironment(env), settles: false, activity }),
    ReportsModule.forRoot({ activity, controllers: false }),
  ];
  const app = await NestFactory.createApplicationContext(
    { module: CommandModule, imports, providers: [Takeovers] },
    { logger: false, abortOnError: false },
  );
  const close = async (): Promise<void> => {
    await app.close();
    await found.close();
  };
  const { redis } = await app.get(ActivityHealth).check('redis');
  if (redis.status === 'up') {
    return { redis: found, get: (type) => app.get(type), close };
  }
  await app.close();
  throw new CommandError(`${found.name} stopped answering: run the command again.`);
}
