import { maxDecimals, parseRules, ruleFaultLines, type ResolvedRule } from '@laurel/activity/internals';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandError } from '../errors/command-error';
import { reasonOf } from '../errors/system-error';

/**
 * The rules in a file that the app could have as `LAUREL_RULES_FILE`: `{ "rules": [...], "limits": [...] }`, or the
 * list of rules alone.
 * @returns the rules, once it is known how many decimals the app's points have.
 * @throws CommandError with a line for each fault; all that no app could have at once.
 */
export async function readRules(path: string): Promise<(decimals: number) => readonly ResolvedRule[]> {
  const name = basename(path);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new CommandError(`${path} cannot be read: ${reasonOf(cause)}.`, { cause });
  }
  const rulesOf = (decimals: number) => {
    try {
      return parseRules(text, { decimals }).rules;
    } catch (cause) {
      throw new CommandError(ruleFaultLines(name, cause).join('\n'), { cause });
    }
  };
  rulesOf(maxDecimals);
  return rulesOf;
}
