import { ActivityError, rulesFrom, type ResolvedRule } from '@laurel/activity';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandError } from '../command-error';
import { reasonOf } from '../system-error';

/**
 * The rules in a file: a JSON list as the module's option `rules` takes it, or an object with such a list as `rules`.
 * @throws CommandError with a line for each fault.
 */
export async function readRules(path: string): Promise<readonly ResolvedRule[]> {
  const name = basename(path);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new CommandError(`${path} cannot be read: ${reasonOf(cause)}.`, { cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CommandError(`${name} is not JSON: ${(cause as Error).message}`, { cause });
  }
  try {
    return rulesFrom(typeof value === 'object' && value !== null && 'rules' in value ? value.rules : value);
  } catch (cause) {
    if (!(cause instanceof ActivityError)) throw cause;
    const lines = cause.faults.length > 0 ? cause.faults.map(({ message }) => message) : [cause.message];
    throw new CommandError(lines.map((line) => `${name}: ${line}`).join('\n'), { cause });
  }
}
