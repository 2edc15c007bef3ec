import { ActivityError, faultsError } from '../core/errors/errors';
import type { RulesContext } from '../core/rules/limit-schema';
import { resolveDocument, type ResolvedRules } from '../core/rules/rules-document';

/** As `resolveDocument`, of the text of a document. @throws ActivityError `invalidRules`, also of what is not JSON. */
export function parseRules(text: string, context: RulesContext = {}): ResolvedRules {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw faultsError('invalidRules', [{ path: '', message: `is not JSON: ${(cause as Error).message}` }]);
  }
  return resolveDocument(value, context);
}

/** A line for each fault of a document, beginning with what it was read from. */
export function ruleFaultLines(name: string, error: unknown): string[] {
  if (!(error instanceof ActivityError) || error.code !== 'invalidRules') throw error;
  return error.faults.map(({ path, message }) => (path === '' ? `${name} ${message}` : `${name}: ${path} ${message}`));
}
