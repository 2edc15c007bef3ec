import { activityVariables } from './activity-variables';
import { settlementVariables } from './settlement-environment';
import { variableFault, type Variables } from './variables';

/** The variables of an app and its commands that begin with LAUREL_: they share one environment, so each knows all. */
const known: ReadonlySet<string> = new Set([
  ...Object.keys(activityVariables),
  ...Object.keys(settlementVariables),
  ...[
    ...[
      'COMMUNITY_URL',
      'DATA_DIR',
      'DRAIN_MS',
      'INGEST_STREAM',
      'LOG',
      'MAX_CONNECTIONS',
      'MAX_LATE_MS',
      'MAX_REQUESTS',
    ],
    ...['OUTBOX_RETENTION_DAYS', 'REVIEW_ARTICLES', 'SHUTDOWN_MS'],
    ...['THROTTLE', 'THROTTLE_REQUESTS', 'THROTTLE_SIGN_INS', 'THROTTLE_TRIES'],
  ].map((name) => `LAUREL_${name}`),
]);

/** Those of tests and benchmarks, which start apps and commands with their own environment. */
const ofTests = /^LAUREL_(TEST|BENCH)_/;

/** The variables that begin with LAUREL_ and that nothing reads, each with the one that is perhaps meant, or null. */
function unknownVariables(variables: Variables): { readonly name: string; readonly meant: string | null }[] {
  return Object.keys(variables)
    .filter((name) => name.startsWith('LAUREL_') && !known.has(name) && !ofTests.test(name))
    .map((name) => ({
      name,
      meant: [...known].find((own) => own.startsWith('LAUREL_') && isOneSlipAway(name, own)) ?? null,
    }));
}

/**
 * Refuses a variable that is a known one misspelt: it would be passed over in silence.
 * @throws ActivityError `invalidOption`, naming the variable and the one that is meant.
 */
export function checkSpelling(variables: Variables): void {
  const misspelt = unknownVariables(variables).find(({ meant }) => meant !== null);
  if (misspelt?.meant) throw variableFault(misspelt.name, 'is unknown', `perhaps ${misspelt.meant} is meant`);
}

/** One line for each variable that begins with LAUREL_ but is not read, such as one of another version. */
export function unreadVariables(variables: Variables): string[] {
  return unknownVariables(variables).map(({ name }) => `${name} is set, and nothing reads it`);
}

/** Whether two names differ by at most two characters at one place, in capitals or not. */
function isOneSlipAway(name: string, own: string): boolean {
  const typed = name.toUpperCase();
  if (Math.abs(typed.length - own.length) > 2) return false;
  let start = 0;
  while (start < typed.length && typed[start] === own[start]) start += 1;
  let end = 0;
  const most = Math.min(typed.length, own.length) - start;
  while (end < most && typed.at(-1 - end) === own.at(-1 - end)) end += 1;
  return Math.max(typed.length, own.length) - start - end <= 2;
}
