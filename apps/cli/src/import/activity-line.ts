import { type ActivityChange, ActivityError, type ActivityService } from '@laurel/activity';
import { changesOf } from '@laurel/activity/internals';
import type { Line } from './lines';

/** A line as the activity it holds, or what is wrong with it. */
export type ActivityLine = { readonly change: ActivityChange } | { readonly faults: readonly string[] };

/** The first part of a fault's path when one event is checked. */
const ofTheOnlyEvent = /^(events\.)?0\.?/;

/** Reads a line as an event of `POST /activity/events`. */
export function activityOf(line: Line, activities: Pick<ActivityService, 'faultsOf'>): ActivityLine {
  if ('fault' in line) return { faults: [line.fault] };
  let event: unknown;
  try {
    event = JSON.parse(line.text);
  } catch {
    return { faults: ['is not JSON'] };
  }
  try {
    const [change] = changesOf({ events: [event] }) as [ActivityChange];
    const faults = activities.faultsOf([change]);
    return faults.length > 0 ? { faults: faults.map(written) } : { change };
  } catch (error) {
    if (!(error instanceof ActivityError)) throw error;
    return { faults: error.faults.map(written) };
  }
}

function written({ path, message }: { readonly path: string; readonly message: string }): string {
  return `${path.replace(ofTheOnlyEvent, '')} ${message}`.trim();
}
