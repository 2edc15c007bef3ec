import type { ActivityChange, Outcome } from '../activity/activity';

/** Announced to the app after an activity changed a user's points. */
export class ActivityRecordedEvent {
  static readonly eventName = 'activity.recorded';

  constructor(
    /** The activity, or revoke, as it was recorded. */
    readonly activity: ActivityChange,
    /** Its result. */
    readonly outcome: Outcome,
  ) {}
}
