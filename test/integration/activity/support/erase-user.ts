import type { ErasureReceipt } from '@laurel/activity/internals';
import { untilErased } from '../../../support/until-erased';
import { type Answer, type TinyApp, withKey } from './tiny-app';

/** Erases a user over HTTP, and waits until that is done or has failed. */
export async function eraseUser(app: TinyApp, userId: string): Promise<Answer<ErasureReceipt>> {
  const path = `/activity/users/${encodeURIComponent(userId)}`;
  const asked = await app.send<ErasureReceipt>(path, { method: 'DELETE', headers: withKey });
  return untilErased(asked, (of) => app.get<ErasureReceipt>(of, withKey));
}
