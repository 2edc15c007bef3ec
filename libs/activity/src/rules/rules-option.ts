import { readFileSync } from 'node:fs';
import { ActivityError } from '../errors/errors';
import { parseRules, ruleFaultLines, type ResolvedRules, type RulesContext } from './rules-document';
import { optionError } from '../errors/option-error';

/** A file of rules and limits, read. */
export interface RulesFile extends ResolvedRules {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads a file of rules and limits.
 * @param option what names the file.
 * @throws ActivityError `invalidOption` with a line for each fault.
 */
export function readRulesFile(option: string, path: string, context: RulesContext = {}): RulesFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw optionError(option, path, `it cannot be read (${fileFault(error)})`);
  }
  return { path, text, ...rulesInText(path, text, context) };
}

/** The system's code for why a file could not be read. */
export function fileFault(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

/** The rules and limits in a text. @throws ActivityError `invalidOption` with a line for each fault. */
export function rulesInText(name: string, text: string, context: RulesContext): ResolvedRules {
  try {
    return parseRules(text, context);
  } catch (error) {
    const faults = error instanceof ActivityError ? error.faults : [];
    throw new ActivityError('invalidOption', ruleFaultLines(name, error).join('\n'), { cause: error, faults });
  }
}
