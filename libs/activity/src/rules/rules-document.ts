import type { DefinedLimit } from './limit-type';
import type { LimitConfig, ResolvedLimit } from './limit';
import { ActivityError, faultsError, type Fault } from '../errors/errors';
import { checkedKeys, checkedList, faultsIn, optionFault } from '../errors/check';
import { resolveLimits, type LimitContext } from './resolve-limits';
import { resolveRules, ruleFaults } from './resolve-rules';
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
 * @param types of limits of the app's own that it may have.
 * @throws ActivityError `invalidRules` with a fault for each value that is not allowed, by its path in the JSON.
 */
export function parseRules(text: string, types: readonly DefinedLimit[] = []): ResolvedRules {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw faultsError('invalidRules', [{ path: '', message: `is not JSON: ${(cause as Error).message}` }]);
  }
  return resolveDocument(value, types);
}

/** As {@link parseRules}, of JSON that was read already. */
export function resolveDocument(value: unknown, types: readonly DefinedLimit[]): ResolvedRules {
  const document = Array.isArray(value) ? { rules: value as unknown } : value;
  const shape = faultsIn(() => checkedKeys('document', document, ['rules', 'limits']));
  if (shape.length > 0) throw faultsError('invalidRules', shape);
  const { rules, limits = [] } = document as { readonly rules?: unknown; readonly limits?: unknown };
  const ofRules = ruleFaults(rules);
  const faults = [...ofRules, ...limitFaults(limits, { actions: actionsIn(rules), types })];
  if (faults.length > 0) throw faultsError('invalidRules', faults);
  const resolved = resolveRules(rules as readonly Rule[]);
  const actions = resolved.map(({ action }) => action);
  const context: LimitContext = { actions, types };
  return Object.freeze({ rules: resolved, limits: resolveLimits(limits as readonly LimitConfig[], context) });
}

/** A document as it was given, a list alone as one of rules: JSON that {@link resolveDocument} takes. */
export function documentOf(value: unknown): RulesDocument {
  return (Array.isArray(value) ? { rules: value as unknown } : value) as RulesDocument;
}

/** A line for each fault of a document, beginning with what it was read from. */
export function ruleFaultLines(name: string, error: unknown): string[] {
  if (!(error instanceof ActivityError) || error.code !== 'invalidRules') throw error;
  return error.faults.map(({ path, message }) => (path === '' ? `${name} ${message}` : `${name}: ${path} ${message}`));
}

/** The most limits: each costs every activity of its action. */
const maxLimits = 200;

function limitFaults(value: unknown, context: LimitContext): readonly Fault[] {
  const limits = value as readonly LimitConfig[];
  const shape = faultsIn(() => checkedList('limits', limits));
  if (shape.length > 0) return shape;
  if (limits.length > maxLimits)
    return optionFault('limits', `has ${limits.length} items`, `use up to ${maxLimits}`).faults;
  return faultsIn(() => resolveLimits(limits, context));
}

/** The actions that rules name, whatever else is wrong with them. */
function actionsIn(rules: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(rules) ? rules : [];
  return list.flatMap((rule) => {
    const action = typeof rule === 'object' && rule !== null && 'action' in rule ? rule.action : undefined;
    return typeof action === 'string' ? [action] : [];
  });
}
