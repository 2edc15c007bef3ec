/**
 * How long a test's app waits for Redis, the archive and the user directory: a busy machine is no fault of theirs. A
 * test of a deadline sets its own.
 */
export const patient = { commandTimeoutMs: 60_000, recordTimeoutMs: 60_000 };

/** The same for a program that is configured by its environment. */
export const patientEnvironment = { LAUREL_COMMAND_TIMEOUT_MS: '60000' };
