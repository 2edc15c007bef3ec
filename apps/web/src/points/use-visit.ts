import type { Query } from '../http/query';
import { type Loaded, useResource } from '../resource/use-resource';
import { ownId } from '../session/session';
import { showVisit } from './gains';
import type { WithOutcome } from './outcomes';
import { expectPoints } from './own-points';

/**
 * Reads a page whose visit may give points, anew when another user signs in, and shows the visit's points, unless the
 * session ended meanwhile. A page that is opened again is visited again: what was read of it before is not shown.
 * @param visit how the page is read; `isTold`: whether the answer is to have the outcome of the visit
 */
export function useVisit<Page>(visit: (isTold: boolean) => Query<Page & WithOutcome>): Loaded<Page> {
  const userId = ownId.value;
  const page = visit(userId !== null);
  const read = async (signal?: AbortSignal) => {
    const answer = await page.read(signal);
    if (userId !== null && userId === ownId.value) {
      showVisit(answer.outcome ?? null);
      expectPoints();
    }
    return answer;
  };
  return useResource<Page>({ ...page, read }, { isBrief: true });
}
