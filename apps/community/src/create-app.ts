import { METRICS_REGISTRY, REDIS_CLIENT } from '@laurel/activity';
import { problemFastifyOptions } from '@laurel/activity/http';
import { StreamServer } from '@laurel/ingest';
import type { RedisClient } from '@laurel/leaderboard';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Registry } from 'prom-client';
import { CommunityModule } from './community.module';
import type { CommunityOptions, TrustedProxies } from './options/community.options';
import { migrate } from './database/migrate';
import { requestIdOf } from './logging/request-ids';
import { maxBodyBytes, protection } from './protection/protection';
import { serveDocs } from './serving/openapi';
import { answerKeptPages } from './serving/kept-pages';
import { serveWeb } from './serving/serve-web';

/** The time in which a request must be received, headers and body, and the longest headers. */
const requestTimeoutMs = 30_000;
const maxHeaderBytes = 16_384;

/** The app, ready to listen, on a database that is up to date. */
export async function createApp(
  options: CommunityOptions,
  logger: LoggerService | false = false,
): Promise<NestFastifyApplication> {
  const { trustProxy, ingestStream } = options;
  const adapter = new FastifyAdapter({
    ...problemFastifyOptions,
    // Express' middleware on Fastify: none is used here, and it would cost each request a sixth.
    skipMiddie: true,
    genReqId: requestIdOf,
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    http: { maxHeaderSize: maxHeaderBytes, headersTimeout: requestTimeoutMs, requireHostHeader: false },
    trustProxy: trusts(trustProxy),
    routerOptions: { ...problemFastifyOptions.routerOptions, ignoreTrailingSlash: true },
    // Requests that come on a connection while it closes are answered like all others, and their connection is closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  const databaseId = await migrate(options.databaseUrl);
  const module = CommunityModule.forRoot({ ...options, activity: { ...options.activity, databaseId } });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, { logger, abortOnError: false });
  await app.register(protection(app, options));
  answerKeptPages(app);
  await serveWeb(app, options.webFolder);
  serveDocs(app);
  if (ingestStream !== undefined) {
    const redis = app.get<RedisClient>(REDIS_CLIENT);
    const registry = app.get<Registry>(METRICS_REGISTRY);
    const strategy = new StreamServer({ redis, stream: ingestStream, registry });
    app.connectMicroservice<MicroserviceOptions>({ strategy });
    await app.startAllMicroservices();
  }
  return app;
}

/** The proxies to believe, in the form that Fastify takes: a function is asked for each hop. */
function trusts(proxies: TrustedProxies | undefined): false | string[] | ((address: string, hop: number) => boolean) {
  if (proxies === undefined) return false;
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : [...proxies];
}
