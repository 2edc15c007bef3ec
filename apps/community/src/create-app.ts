import { problemFastifyOptions } from '@laurel/activity';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { CommunityModule } from './community.module';
import type { CommunityOptions } from './community.options';
import { closeWhatIsAnswered } from './http/draining';
import { identifyRequests } from './http/identify-requests';
import { serveDocs } from './http/openapi';
import { serveWeb } from './http/serve-web';
import { shedLoad } from './http/shed-load';

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
    // Requests that come on a connection while it closes are answered like all others, and their connection is closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  const app = await NestFactory.create<NestFastifyApplication>(CommunityModule.forRoot(options), adapter, {
    logger,
    abortOnError: false,
  });
  if (options.loadBounds) await shedLoad(app, options.loadBounds);
  closeWhatIsAnswered(app);
  identifyRequests(app);
  await serveWeb(app, options.webFolder);
  serveDocs(app);
  return app;
}
