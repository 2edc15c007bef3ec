import type { ErasureReceipt } from '@laurel/activity/internals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { untilErased } from '../../support/until-erased';
import { apiKey } from './community';
import { type Answer, ask } from './person';

/** Erases a user over HTTP, and waits until that is done or has failed. */
export async function erase(
  app: NestFastifyApplication,
  { id }: { readonly id: string },
): Promise<Answer<ErasureReceipt>> {
  const asked = (method: 'DELETE' | 'GET', path: string) => ask<ErasureReceipt>(app, method, path, { token: apiKey });
  return untilErased(await asked('DELETE', `/activity/users/${id}`), (path) => asked('GET', path));
}
