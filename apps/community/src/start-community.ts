import type { LoggerService } from '@nestjs/common';
import type { AddressInfo } from 'node:net';
import { createApp } from './create-app';
import type { Environment } from './environment/environment';
import { StartError } from './lifecycle/start-error';
import { placeOf, placeOfRedis, type WhatRuns } from './logging/what-runs';
import { forgetEveryMs } from './outbox/activity-relay';
import { startMissingServers } from './servers/private-servers';
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
  /** Answers the requests under way, records what is pending, then stops every server that was started for the app. */
  stop(): Promise<void>;
}

/** Starts the servers that the environment does not name, and the app on them. If the start fails, all are stopped. */
export async function startCommunity(environment: Environment, logger: LoggerService): Promise<RunningCommunity> {
  const { host, port, authSecret, outboxRetentionDays, loadBounds, stopTimes, activity, settlement } = environment;
  const { throttle, trustProxy, corsOrigins, maxConnections, ingestStream, reviewsArticles } = environment;
  for (const warning of environment.warnings) logger.warn(warning, 'Environment');
  const servers = await startMissingServers(environment, (line) => void logger.debug?.(line, 'Servers'));
  try {
    const app = await createApp(
      {
        authSecret,
        outboxRetentionDays,
        loadBounds,
        corsOrigins,
        maxConnections,
        reviewsArticles,
        ...(throttle && { throttle }),
        ...(trustProxy !== undefined && { trustProxy }),
        ...(ingestStream !== undefined && { ingestStream }),
        databaseUrl: servers.databaseUrl,
        activity: { ...activity, redis: servers.redis },
        settlement: { everyMs: settlesEveryMs, ...settlement },
      },
      logger,
    );
    const stop = async () => {
      await stopGracefully(app, stopTimes, logger);
      await servers.stop();
    };
    try {
      await app.listen({ port, host });
    } catch (error) {
      await app.close();
      throw listenError(error, host, port);
    }
    const url = urlOf(host, (app.getHttpServer().address() as AddressInfo).port);
    const { prefix = 'lr', timezone = 'UTC' } = activity;
    const runs: WhatRuns = {
      url,
      redis: placeOfRedis(servers.redis),
      postgres: placeOf(servers.databaseUrl),
      prefix,
      timezone,
      settlesEveryMs,
      outboxKeptDays: outboxRetentionDays,
      outboxForgetsEveryMs: forgetEveryMs,
      ingestStream: ingestStream ?? null,
    };
    return { url, runs, stopWithinMs: stopTimes.shutdownMs, stop };
  } catch (error) {
    await servers.stop();
    throw error;
  }
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
