import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The folder of the repository. */
export const root = join(__dirname, '../..');

/** Runs a program, and gives what it printed; one that fails rejects. */
export const run = promisify(execFile);
