import type { OutcomeName } from '../core/activity/activity';

/** Every {@link OutcomeName}. */
export const outcomeNames = [
  'granted',
  'revoked',
  'duplicate',
  'limited',
  'notGranted',
  'closed',
  'ignored',
  'rejected',
] as const satisfies readonly OutcomeName[];
