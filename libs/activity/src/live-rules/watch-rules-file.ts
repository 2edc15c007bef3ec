import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileFault } from '../rules/rules-option';

/** How often a file of rules is looked at. */
const everyMs = 1_000;

/** What was read of a file: its text or, where it could not be read, the system's code for why. */
export type FileRead = { readonly path: string } & (
  { readonly text: string; readonly fault: null } | { readonly text: null; readonly fault: string }
);

/**
 * Watches a file by its path, once a second: a file that is written anew, replaced by a rename, or reached by a link
 * that is set anew, as Kubernetes does, is seen alike, on any file system.
 * @param onRead is given what it holds, once now and each time that it has changed.
 * @returns what ends it.
 */
export function watchRulesFile(path: string, onRead: (read: FileRead) => void): () => void {
  const listener = () => {
    readFile(path, 'utf8').then(
      (text) => onRead({ path, text, fault: null }),
      (error: unknown) => onRead({ path, text: null, fault: fileFault(error) }),
    );
  };
  watchFile(path, { interval: everyMs, persistent: false }, listener);
  // It may have changed since it was read for the start.
  listener();
  return () => unwatchFile(path, listener);
}
