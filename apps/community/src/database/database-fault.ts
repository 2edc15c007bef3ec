/**
 * What `pg` and the system say where the database cannot be reached, lets nobody in, gives up or takes no changes (a
 * standby, after a failover): SQLSTATE classes 08, 28, 53, 57, 58, and 25006.
 */
const awayCodes = /^(?:08|28|53|57|58|25006$)|^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN)$/;
const awayMessages =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error)/;

/** Whether an error says that the database is away, rather than that a query is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  return causesOf(error).some(
    ({ code, message }) => (typeof code === 'string' && awayCodes.test(code)) || awayMessages.test(message ?? ''),
  );
}

/** The database's or the system's code of an error, for logs; its message may contain users' input. */
export function databaseCode(error: unknown): string {
  const code = causesOf(error).find((cause) => typeof cause.code === 'string')?.code;
  return typeof code === 'string' ? code : 'no answer';
}

/**
 * Whether a transaction lost against another one (SQLSTATE class 40, for example a deadlock) and may be tried again.
 */
export function isRolledBack(error: unknown): boolean {
  return causesOf(error).some(({ code }) => typeof code === 'string' && code.startsWith('40'));
}

/** Whether an error says that a row names another that is gone, as when its user was erased in between. */
export function namesWhatIsGone(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === '23503');
}

/** Whether an error says that a row would break the constraint or unique index of this name. */
export function breaks(error: unknown, constraint: string): boolean {
  return causesOf(error).some((cause) => cause.constraint === constraint);
}

interface Fault {
  readonly message?: string;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly cause?: unknown;
}

/** An error and what caused it: the query builder wraps what the driver throws. */
function causesOf(error: unknown): readonly Fault[] {
  return typeof error === 'object' && error !== null ? [error, ...causesOf((error as Fault).cause)] : [];
}
