/** Codes of the SQL standard and of PostgreSQL; the system's (`EPIPE`) begin otherwise. */
const sqlState = /^(?:\d[\dA-Z]|F0|HV|P0|XX)[\dA-Z]{3}$/;

/** How deep causes are followed. */
const maxCauses = 5;

/**
 * An error and what caused it, by shape: the system's errors may come from another realm, where `Error` is another
 * class.
 */
export function causesOf(error: unknown): readonly object[] {
  const causes: object[] = [];
  let cause = error;
  while (typeof cause === 'object' && cause !== null && causes.length < maxCauses) {
    causes.push(cause);
    cause = 'cause' in cause ? cause.cause : undefined;
  }
  return causes;
}

/**
 * The SQLSTATE of an error that a database's driver threw, or that a query builder threw for it; null for all others.
 */
export function sqlStateOf(error: unknown): string | null {
  for (const cause of causesOf(error)) {
    if ('code' in cause && typeof cause.code === 'string' && sqlState.test(cause.code)) return cause.code;
  }
  return null;
}
