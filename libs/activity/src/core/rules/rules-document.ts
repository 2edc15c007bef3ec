import type { LimitConfig, ResolvedLimit } from './limit';
import { type Fault, faultsError } from '../errors/errors';
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
 * The rules and limits in a document, as JSON has them. A list alone is one of rules.
 * @throws ActivityError `invalidRules` with a fault for each value that is not allowed, by its path in the JSON.
 */
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
    const limitsOf = limitsSchema(actionsIn(document.rules), context, maxLimits);
    const limits = limitsOf(document.limits, place.property('limits'));
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

/** The actions that rules name, whatever else is wrong with them. */
function actionsIn(rules: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(rules) ? rules : [];
  return list.flatMap((rule) => (isObject(rule) && typeof rule['action'] === 'string' ? [rule['action']] : []));
}
