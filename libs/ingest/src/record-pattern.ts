/** The pattern of messages that bring activities. */
export const recordPattern = 'activity.record';
