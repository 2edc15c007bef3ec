import type { RedisOptions } from '@laurel/activity';
import type { Variables } from '@laurel/settings';
import type { LoggerService } from '@nestjs/common';
import type { AddressInfo } from 'node:net';
import { createApp } from './create-app';
import type { Environment } from './environment/environment';
import { type Running, runUntilStopped } from './lifecycle/run-until-stopped';
import { StartError } from './lifecycle/start-error';
import { stopGracefully } from './lifecycle/stop-gracefully';
import { createLog, logFormatFrom } from './logging/log';
import { forgetEveryMs } from './outbox/activity-relay';

/** How often an instance looks whether a period is to be settled. */
const settlesEveryMs = 10_000;

/** The community, running. */
export interface RunningCommunity extends Running {
  /** Where it listens, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The servers, without passwords, and the timed tasks of this process: one line of the log. */
  readonly runs: Readonly<Record<string, string | number>>;
}

/** Runs the community until it is told to stop. */
export function runCommunity(start: (variables: Variables, logger: LoggerService) => Promise<RunningCommunity>): void {
  const log = createLog(logFormatFrom(process.env));
  runUntilStopped(async () => {
    const community = await start(process.env, log.logger);
    log.say(`Listening on ${community.url}`, community.runs);
    return community;
  }, log);
}

/** Starts the app on the servers that its environment names. */
export async function startCommunity(environment: Environment, logger: LoggerService): Promise<RunningCommunity> {
  const { host, port, stopTimes, warnings, activity, settlement, ingestStream } = environment;
  for (const warning of warnings) logger.warn(warning, 'Environment');
  const app = await createApp({ ...environment, settlement: { everyMs: settlesEveryMs, ...settlement } }, logger);
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    throw listenError(error, host, port);
  }
  return {
    url: urlOf(host, (app.getHttpServer().address() as AddressInfo).port),
    runs: {
      redis: placeOfRedis(activity.redis),
      postgres: placeOf(environment.databaseUrl),
      prefix: activity.prefix ?? 'lr',
      timezone: activity.timezone ?? 'UTC',
      settlesEveryMs,
      outboxKeptDays: environment.outboxRetentionDays,
      outboxForgetsEveryMs: forgetEveryMs,
      ...(ingestStream !== undefined && { ingestStream }),
    },
    stopWithinMs: stopTimes.shutdownMs,
    stop: () => stopGracefully(app, stopTimes, logger),
  };
}

/** The address for a browser: a server that listens everywhere is reached at `localhost`. */
function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Where Redis is, without how it lets the app in. */
export function placeOfRedis(redis: RedisOptions): string {
  if ('url' in redis) return placeOf(redis.url);
  const nodes = 'nodes' in redis ? redis.nodes : 'sentinels' in redis ? redis.sentinels : [];
  return nodes.map(({ host, port }) => `${host}:${port}`).join(' ');
}

/** Host, port and path of an address, without user, password and parameters. */
export function placeOf(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host}${pathname === '/' ? '' : pathname}`;
}

function listenError(cause: unknown, host: string, port: number): unknown {
  const { code } = cause as { readonly code?: string };
  const advice =
    code === 'EADDRINUSE'
      ? `Port ${port} is taken: stop what listens there, or choose another with PORT.`
      : `The app cannot listen on ${host} port ${port} (${code}): set HOST and PORT.`;
  return code === undefined ? cause : new StartError(advice, { cause });
}
