/** Why the app cannot start, for a reason its operators can mend: the message says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
