import { ActivityError } from './errors';

/** A refusal of an option, naming it, its value and what is allowed. */
export function optionError(option: string, value: unknown, allowed: string): ActivityError {
  return optionFault(option, `is ${shown(value)}`, allowed);
}

/** A refusal of an option that says in words what is wrong: the value is not to be shown, or is not what is wrong. */
export function optionFault(option: string, fault: string, allowed: string): ActivityError {
  const message = `${fault}: ${allowed}.`;
  return new ActivityError('invalidOption', `${option} ${message}`, { faults: [{ path: option, message }] });
}

/** A value as a message shows it: its JSON, not at any length. */
export function shown(value: unknown): string {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  const text = typeof value === 'number' ? String(value) : jsonOf(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** The text of any value, also of one that JSON cannot hold: circles, bigints, deep lists. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return 'what JSON cannot hold';
  }
}
