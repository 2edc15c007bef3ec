import { readFileSync } from 'node:fs';
import { ActivityError } from '../errors/errors';
import type { DefinedLimit } from './limit-type';
import { parseRules, ruleFaultLines, type ResolvedRules } from './rules-document';
import { optionError } from '../errors/option-error';

/** A file of rules and limits, read. */
export interface RulesFile extends ResolvedRules {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads a file of rules and limits.
 * @param option what names the file.
 * @param types of limits of the app's own that it may have.
 * @throws ActivityError `invalidOption` with a line for each fault.
 */
export function readRulesFile(option: string, path: string, types: readonly DefinedLimit[] = []): RulesFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw optionError(option, path, `it cannot be read (${fileFault(error)})`);
  }
  return { path, text, ...rulesInText(path, text, types) };
}

/** The system's code for why a file could not be read. */
export function fileFault(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

/** The rules and limits in a text. @throws ActivityError `invalidOption` with a line for each fault. */
export function rulesInText(name: string, text: string, types: readonly DefinedLimit[]): ResolvedRules {
  try {
    return parseRules(text, types);
  } catch (error) {
    const faults = error instanceof ActivityError ? error.faults : [];
    throw new ActivityError('invalidOption', ruleFaultLines(name, error).join('\n'), { cause: error, faults });
  }
}
