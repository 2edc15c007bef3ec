import { sharedServers } from './shared-servers';

/** Stops what {@link globalSetup} started; the first of several calls does it. */
export default async function globalTeardown(): Promise<void> {
  const { redis } = sharedServers;
  sharedServers.redis = undefined;
  await (await redis)?.stop();
}
