import type { LimitConfig, ResolvedLimit } from './limit';
import { ActivityError, type Fault, faultsError } from '../errors/errors';
import { anything, isObject, object, optional, readingOf, refused, type Schema } from '../schema/schema';
import { limitsSchema, type RulesContext } from './limit-schema';
import { rulesSchema } from './rule-schema';
import type { ResolvedRule, Rule } from './rule';

/** Rules and limits as plain JSON: `{ "rules": [...], "limits": [...] }`. A limit that it leaves out is off. */
export interface RulesDocument {
  readonly rules: readonly Rule[];
  readonly limits?: readonly LimitConfig[];
}

/** A {@link RulesDocument} with every default filled in. */
export interface ResolvedRules {
  readonly rules: readonly ResolvedRule[];
  readonly limits: readonly ResolvedLimit[];
}

/**
 * The rules and limits in the text of a document. A list alone is one of rules.
 * @throws ActivityError `invalidRules` with a fault for each value that is not allowed, by its path in the JSON.
 */
export function parseRules(text: string, context: RulesContext = {}): ResolvedRules {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw faultsError('invalidRules', [{ path: '', message: `is not JSON: ${(cause as Error).message}` }]);
  }
  return resolveDocument(value, context);
}

/** As {@link parseRules}, of a variable. @throws ActivityError `invalidOption` with a line for each fault. */
export function rulesInText(name: string, text: string, context: RulesContext): ResolvedRules {
  try {
    return parseRules(text, context);
  } catch (error) {
    const faults = error instanceof ActivityError ? error.faults : [];
    throw new ActivityError('invalidOption', ruleFaultLines(name, error).join('\n'), { cause: error, faults });
  }
}

/** As {@link parseRules}, of JSON that was read already. */
export function resolveDocument(value: unknown, context: RulesContext): ResolvedRules {
  const reading = readingOf(documentSchema(context), value);
  if ('faults' in reading) throw faultsError('invalidRules', reading.faults);
  return reading.output;
}

/** The most limits: each costs every activity of its action. */
const maxLimits = 200;

const parts = object({ rules: anything, limits: optional(anything, []) });

function documentSchema(context: RulesContext): Schema<ResolvedRules> {
  return (given, place) => {
    const document = parts(documentOf(given), place.property('document'));
    if (document === refused) return refused;
    const rules = rulesSchema(context.decimals ?? 0)(document.rules, place.property('rules'));
    const limits = limitsSchema(
      actionsIn(document.rules),
      context,
      maxLimits,
    )(document.limits, place.property('limits'));
    return rules === refused || limits === refused ? refused : Object.freeze({ rules, limits });
  };
}

/** The faults of rules that give owners points on leaderboards that there are not. */
export function grantFaults(
  rules: readonly ResolvedRule[],
  leaderboards: readonly { readonly name: string }[],
): readonly Fault[] {
  const names = leaderboards.map(({ name }) => name);
  return rules.flatMap(({ grants }, index) => {
    const unknown = grants.flatMap((grant) => grant.leaderboards ?? []).filter((name) => !names.includes(name));
    const path = `rules[${index}].grants[0].leaderboards`;
    return unknown.map((name) => ({ path, message: `is ${JSON.stringify(name)}: use ${names.join(', ')}.` }));
  });
}

/** A document as it was given, a list alone as one of rules: JSON that `resolveDocument` takes. */
export function documentOf(value: unknown): RulesDocument {
  return (Array.isArray(value) ? { rules: value as unknown } : value) as RulesDocument;
}

/** A line for each fault of a document, beginning with what it was read from. */
export function ruleFaultLines(name: string, error: unknown): string[] {
  if (!(error instanceof ActivityError) || error.code !== 'invalidRules') throw error;
  return error.faults.map(({ path, message }) => (path === '' ? `${name} ${message}` : `${name}: ${path} ${message}`));
}

/** The actions that rules name, whatever else is wrong with them. */
function actionsIn(rules: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(rules) ? rules : [];
  return list.flatMap((rule) => (isObject(rule) && typeof rule['action'] === 'string' ? [rule['action']] : []));
}
