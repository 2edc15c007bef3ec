import { parseRules, ruleFaultLines, type ResolvedRule } from '@laurel/activity/internals';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandError } from '../errors/command-error';
import { reasonOf } from '../errors/system-error';

/**
 * The rules in a file that the app could have as `LAUREL_RULES_FILE`: `{ "rules": [...], "limits": [...] }`, or the
 * list of rules alone.
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
  try {
    return parseRules(text).rules;
  } catch (cause) {
    throw new CommandError(ruleFaultLines(name, cause).join('\n'), { cause });
  }
}
