import { useEffect } from 'preact/hooks';
import { now } from '../browser/clock';
import { useEachMinute } from './use-each-minute';

/** Whether a period has ended by the reader's clock. */
export function hasEnded(period: { readonly end: string | null } | undefined): boolean {
  return period?.end != null && new Date(period.end) <= now();
}

/** Reads something again once anything says that it is out of date, and then each minute until nothing does. */
export function useAgain(outdatedBy: string | boolean, again: () => void): void {
  const minute = useEachMinute();
  useEffect(() => {
    if (outdatedBy !== false) again();
  }, [outdatedBy, minute, again]);
}
