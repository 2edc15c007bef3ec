import type { LoggerService } from '@nestjs/common';
import type { AddressInfo } from 'node:net';
import { createApp } from './create-app';
import type { Environment } from './environment/environment';
import { StartError } from './lifecycle/start-error';
import { placeOf, placeOfRedis, type WhatRuns } from './logging/what-runs';
import { forgetEveryMs } from './outbox/activity-relay';
import { stopGracefully } from './lifecycle/stop-gracefully';

/** How often an instance looks whether a period is to be settled. */
const settlesEveryMs = 10_000;

/** The community, running. */
export interface RunningCommunity {
  /** Where it listens, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly runs: WhatRuns;
  /** How long {@link stop} may take. */
  readonly stopWithinMs: number;
  /** Answers the requests under way and records what is pending. */
  stop(): Promise<void>;
}

/** Starts the app on the servers that its environment names. */
export async function startCommunity(environment: Environment, logger: LoggerService): Promise<RunningCommunity> {
  const { host, port, stopTimes, warnings, activity, settlement, ingestStream = null } = environment;
  for (const warning of warnings) logger.warn(warning, 'Environment');
  const app = await createApp({ ...environment, settlement: { everyMs: settlesEveryMs, ...settlement } }, logger);
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    throw listenError(error, host, port);
  }
  const url = urlOf(host, (app.getHttpServer().address() as AddressInfo).port);
  const { redis, prefix = 'lr', timezone = 'UTC' } = activity;
  const runs: WhatRuns = {
    url,
    redis: placeOfRedis(redis),
    postgres: placeOf(environment.databaseUrl),
    prefix,
    timezone,
    settlesEveryMs,
    outboxKeptDays: environment.outboxRetentionDays,
    outboxForgetsEveryMs: forgetEveryMs,
    ingestStream,
  };
  return { url, runs, stopWithinMs: stopTimes.shutdownMs, stop: () => stopGracefully(app, stopTimes, logger) };
}

/** The address for a browser: a server that listens everywhere is reached at `localhost`. */
function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function listenError(error: unknown, host: string, port: number): unknown {
  const { code } = error as { readonly code?: unknown };
  if (code === 'EADDRINUSE') {
    return new StartError(`Port ${port} is taken: stop what listens there, or choose another with PORT.`, {
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(`The app cannot listen on ${host} port ${port} (${code}): set HOST and PORT.`, {
      cause: error,
    });
  }
  return error;
}
