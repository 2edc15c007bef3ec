/** The name under which an app announces an action of a rule: `activity.praise`. */
export function eventNameOf(action: string): string {
  return `activity.${action}`;
}

/** The name under which an app announces that an action was taken back: `activity.praise.cancelled`. */
export function cancelledEventNameOf(action: string): string {
  return `activity.${action}.cancelled`;
}

/** The action that no rule may have: the module announces under its event's name what it recorded. */
export const announcedAction = 'recorded';
