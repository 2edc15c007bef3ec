import type { ErasureReceipt } from '@laurel/activity/internals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { untilErased } from '../../support/until-erased';
import { waitUntil } from '../../support/wait-until';
import { apiKey } from './community';
import { type Answer, ask } from './person';

interface Erased {
  readonly id: string;
}

const asked = (app: NestFastifyApplication, method: 'DELETE' | 'GET', path: string) =>
  ask<ErasureReceipt>(app, method, path, { token: apiKey });

/** Erases a user over HTTP, and waits until that is done. */
export async function erase(app: NestFastifyApplication, { id }: Erased): Promise<Answer<ErasureReceipt>> {
  return untilErased(await asked(app, 'DELETE', `/activity/users/${id}`), (path) => asked(app, 'GET', path));
}

/** Asks for the erasure of a user, and waits until it has failed for the first time. */
export async function failToErase(app: NestFastifyApplication, { id }: Erased): Promise<ErasureReceipt> {
  const { body } = await asked(app, 'DELETE', `/activity/users/${id}`);
  return waitUntil(
    async () => {
      const { body: now } = await asked(app, 'GET', `/activity/erasure-receipts/${body.id}`);
      return now.fault !== null && now.state === 'waiting' ? now : null;
    },
    { what: 'an erasure that has failed' },
  );
}
