/** Every reason for which a private server is not to be had. The list is closed: a new reason is a new code. */
export type ServersErrorCode =
  | 'notInstalled' // the program is not on this machine and cannot be installed from here
  | 'startFailed' // the program ended, or did not answer in time; the message holds its last lines
  | 'dataDirInUse' // another server has its files in the same folder
  | 'invalidOption'; // an option is malformed; the message names it and what is allowed

/** The one error class of this library: a closed {@link ServersErrorCode} and a message that says what to do. */
export class ServersError extends Error {
  override readonly name = 'ServersError';

  constructor(
    readonly code: ServersErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}
