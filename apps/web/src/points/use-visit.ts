import { useCallback } from 'preact/hooks';
import { ownId } from '../session/session';
import { type Loaded, useLoaded } from '../ui/use-loaded';
import { showVisit } from './gains';
import type { ReadOptions, WithOutcome } from './outcomes';
import { expectPoints } from './own-points';

/**
 * Reads a page whose visit may give points, anew when another user signs in or `id` changes, and shows the visit's
 * points, unless the session ended meanwhile.
 */
export function useVisit<Page>(
  read: (id: string, options: ReadOptions) => Promise<Page & WithOutcome>,
  id: string,
): Loaded<Page> {
  const userId = ownId.value;
  return useLoaded<Page>(
    useCallback(
      async (signal: AbortSignal) => {
        const page = await read(id, { isTold: userId !== null, signal });
        if (userId !== null && userId === ownId.value) {
          showVisit(page.outcome ?? null);
          expectPoints();
        }
        return page;
      },
      [read, id, userId],
    ),
  );
}
