import cors from '@fastify/cors';
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
import { defaultMaxConnections } from './environment/environment';
import { corsOptions } from './protection/cors-options';
import { closeWhatIsAnswered } from './lifecycle/draining';
import { identifyRequests } from './identity/identify-requests';
import { requestIdOf, tellRequestIds } from './logging/request-ids';
import { boundConnections, countRefusals, requireHost } from './protection/refused-requests';
import { appPlugin } from './protection/app-plugin';
import { isBulk, limitBodies, maxBodyBytes } from './protection/body-limits';
import { isOperations } from './protection/probes';
import { requireKey } from './protection/require-key';
import { serveDocs } from './serving/openapi';
import { setSecurityHeaders } from './protection/security-headers';
import { answerKeptPages } from './serving/kept-pages';
import { serveWeb } from './serving/serve-web';
import { shedLoad } from './protection/shed-load';
import { throttleRequests } from './throttling/throttle-requests';

/** The time in which a request must be received, headers and body, and the longest headers. */
const requestTimeoutMs = 30_000;
const maxHeaderBytes = 16_384;

/** The app, ready to listen, on a database that is up to date. */
export async function createApp(
  options: CommunityOptions,
  logger: LoggerService | false = false,
): Promise<NestFastifyApplication> {
  const { trustProxy, throttle, corsOrigins = [], maxConnections = defaultMaxConnections, ingestStream } = options;
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
  boundConnections(app, maxConnections);
  // A plugin whose hooks answer needs those whose hooks each answer passes.
  const answered = ['request-ids', 'security-headers', 'refusal-counts'];
  const { loadBounds } = options;
  const use = async (name: string, needed: readonly string[], addHooks: () => void | Promise<void>) => {
    await app.register(appPlugin(name, needed, addHooks));
  };
  await use('request-ids', [], () => tellRequestIds(app));
  await use('security-headers', [], () => setSecurityHeaders(app));
  await use('refusal-counts', [], () => countRefusals(app));
  await use('host', answered, () => requireHost(app));
  if (loadBounds) await use('load', answered, () => shedLoad(app, loadBounds));
  await use('draining', [], () => closeWhatIsAnswered(app));
  await use('body-limits', [], () => limitBodies(app));
  if (corsOrigins.length > 0) await app.register(cors, corsOptions(corsOrigins));
  await use('identity', [], () => identifyRequests(app));
  if (throttle) await use('throttle', [...answered, 'identity'], () => throttleRequests(app, throttle));
  await use('bulk-guard', [...answered, 'body-limits'], () => requireKey(app, isBulk));
  if (options.closesOperations) await use('operations', answered, () => requireKey(app, isOperations));
  await use('kept-pages', [...answered, 'draining', 'identity'], () => answerKeptPages(app));
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
