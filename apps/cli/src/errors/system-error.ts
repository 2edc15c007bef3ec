import { isNativeError } from 'node:util/types';

/**
 * The system's words without its syntax: `ENOENT: no such file or directory, open '…'` is "no such file or directory".
 */
export function reasonOf(cause: unknown): string {
  return isNativeError(cause) ? cause.message.replace(/^E\w+: ([^,]*), .*$/s, '$1') : String(cause);
}
