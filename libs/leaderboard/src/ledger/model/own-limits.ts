import { createHash } from 'node:crypto';
import { invalidOption } from '../../errors/errors';
import type { Names, Script } from '../../scripts/script';
import type { LimitType } from './ledger.types';

/** The line of a script that limits of the caller's own take. */
const place = '-- @custom-limits';

const typePattern = /^[a-z0-9_-]{1,32}$/;

/** @throws LeaderboardError `invalidOption` where two share a type, or one is malformed. */
export function checkedLimitTypes(types: readonly LimitType[]): readonly LimitType[] {
  const seen = new Set<string>();
  for (const { type, check } of types) {
    if (!typePattern.test(type)) {
      throw invalidOption(`limitTypes[].type is ${JSON.stringify(type)}: use 1 to 32 of a-z, 0-9, "-" and "_".`);
    }
    if (seen.has(type)) throw invalidOption(`Two limitTypes are of the type "${type}": give one of the two another.`);
    if (typeof check !== 'string' || check.trim() === '') {
      throw invalidOption(`limitTypes "${type}": check is empty: use the body of a Lua function.`);
    }
    seen.add(type);
  }
  return Object.freeze(types.map((type) => Object.freeze({ ...type })));
}

/** The script with custom limits in it, so its digest differs with them; without custom limits, the script itself. */
export function withOwnLimits<K extends Names, A extends Names>(
  script: Script<K, A>,
  types: readonly LimitType[],
): Script<K, A> {
  if (types.length === 0) return script;
  const own = types.map(({ type, check, take, undo, quota }) => {
    const parts = Object.entries({ check, take, undo, quota }).filter(([, body]) => body !== undefined);
    const functions = parts.map(([part, body]) => `${part} = function(keys, args, grant)\n${body}\nend`);
    return `customLimits['${type}'] = {\n${functions.join(',\n')}\n}`;
  });
  const lua = script.lua.replace(place, () => own.join('\n'));
  return { ...script, lua, sha1: createHash('sha1').update(lua).digest('hex') };
}
