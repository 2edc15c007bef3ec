import type { Script } from '../../scripts/script';
import { scripts } from '../../scripts/scripts.generated';
import { withOwnLimits } from './own-limits';

const one = { type: 'one', check: 'return nil' };
const two = { type: 'two', check: "return '$&'", take: "call('INCR', keys[1])" };

describe('withOwnLimits', () => {
  it.each<Script>([scripts.judgeTransitions, scripts.readQuota])(
    'puts limits into $name, whose digest is theirs',
    (script) => {
      const both = withOwnLimits(script, [one, two]);
      for (const { check } of [one, two]) expect(both.lua).toContain(check);
      expect(both.lua).toContain("customLimits['two'] = {");
      const digests = [[one], [two], [one, two], [two, one]].map((types) => withOwnLimits(script, types).sha1);
      expect(new Set([script.sha1, ...digests]).size).toBe(5);
      expect(withOwnLimits(script, [one, two]).sha1).toBe(both.sha1);
    },
  );

  it('leaves a script as it is where there are none', () => {
    expect(withOwnLimits(scripts.judgeTransitions, [])).toBe(scripts.judgeTransitions);
  });
});
