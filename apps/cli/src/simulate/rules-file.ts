import { maxDecimals, parseRules, ruleFaultLines, type ResolvedRule } from '@laurel/activity/internals';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandError } from '../errors/command-error';
import { reasonOf } from '../errors/system-error';

/**
 * The rules in a file of what the app could have as `LAUREL_RULES`: `{ "rules": [...], "limits": [...] }`, or the
 * list of rules alone.
 * @returns the rules, once it is known how many decimals the app's points have.
 * @throws CommandError where it cannot be read; of the rules, with a line for each fault.
 */
export async function readRules(path: string): Promise<(decimals: number) => readonly ResolvedRule[]> {
  const name = basename(path);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new CommandError(`${path} cannot be read: ${reasonOf(cause)}.`, { cause });
  }
  // The file is checked before Redis is asked.
  const somehow = [0, 1, maxDecimals].find((decimals) => 'rules' in reading(name, text, decimals));
  if (somehow === undefined) rulesIn(name, text, 0);
  return (decimals) => rulesIn(name, text, decimals);
}

/** @throws CommandError with a line for each fault. */
function rulesIn(name: string, text: string, decimals: number): readonly ResolvedRule[] {
  const read = reading(name, text, decimals);
  if ('rules' in read) return read.rules;
  throw read.error;
}

function reading(name: string, text: string, decimals: number) {
  try {
    return { rules: parseRules(text, { decimals }).rules };
  } catch (cause) {
    return { error: new CommandError(ruleFaultLines(name, cause).join('\n'), { cause }) };
  }
}
