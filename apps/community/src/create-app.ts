import { problemFastifyOptions } from '@laurel/activity';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { CommunityModule } from './community.module';
import type { CommunityOptions } from './community.options';
import { identifyRequests } from './http/identify-requests';
import { serveDocs } from './http/openapi';
import { serveWeb } from './http/serve-web';

/** A thousand events with the longest ids and subjects, every character escaped. */
const maxBodyBytes = 4 * 1_024 * 1_024;

/** The app, ready to listen. */
export async function createApp(
  options: CommunityOptions,
  logger: LoggerService | false = false,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    ...problemFastifyOptions,
    // Express' middleware on Fastify: none is used here, and carrying it costs each request a sixth.
    skipMiddie: true,
    bodyLimit: maxBodyBytes,
    routerOptions: { ...problemFastifyOptions.routerOptions, ignoreTrailingSlash: true },
    // Requests that come while it closes find the door shut; those that are in are answered.
    return503OnClosing: true,
    forceCloseConnections: 'idle',
  });
  const app = await NestFactory.create<NestFastifyApplication>(CommunityModule.forRoot(options), adapter, {
    logger,
    abortOnError: false,
  });
  identifyRequests(app);
  await serveWeb(app);
  serveDocs(app);
  return app;
}
