import { rulesBodySchema } from '../core/rules/rules-body';
import { parseRules, ruleFaultLines } from './rules-text';

const praise = { action: 'praise', points: 2, revocable: true };

function faultsOf(document: unknown): string[] {
  try {
    parseRules(typeof document === 'string' ? document : JSON.stringify(document));
  } catch (error) {
    return ruleFaultLines('rules.json', error);
  }
  return [];
}

describe('a document of rules', () => {
  it('has rules and limits, with every default filled in; it may be a list of rules alone', () => {
    const document = { rules: [praise], limits: [{ type: 'daily', action: 'praise', max: 3 }] };
    expect(parseRules(JSON.stringify(document))).toMatchObject({
      rules: [{ ...praise, days: 1, ownSubject: 'count', code: 'praise' }],
      limits: [{ name: 'praise-daily', action: 'praise', config: { type: 'daily', max: 3 } }],
    });
    for (const alone of [[praise], { rules: [praise] }])
      expect(parseRules(JSON.stringify(alone))).toMatchObject({ rules: [praise], limits: [] });
  });

  it('has points as numbers in the OpenAPI document', () => {
    const { points } = rulesBodySchema.properties.rules.items.properties;
    expect(points).toMatchObject({ type: 'number', multipleOf: 0.01 });
  });

  it('is refused with a line for each fault, by its path', () => {
    const document = {
      rules: [{ action: 'praise', points: 0.5, revocable: 'yes' }, 7],
      limits: [{ type: 'yearly', action: 'praise', max: 1 }, null, { type: 'daily', action: 'dance', max: 0 }],
    };
    expect(faultsOf(document)).toEqual([
      'rules.json: rules[0].points is 0.5: use a whole number from -1000000 to 1000000.',
      'rules.json: rules[0].revocable is "yes": use true or false.',
      'rules.json: rules[1] is 7: use { "action": …, "points": …, "revocable": … }.',
      'rules.json: limits[0].type is "yearly": use one of "sliding", "daily", "weekly", "monthly", "contest".',
      'rules.json: limits[1] is null: use { "type": …, … }.',
      'rules.json: limits[2].action is "dance": use one of "praise".',
      'rules.json: limits[2].max is 0: use a whole number from 1 to 10000.',
    ]);
  });

  it('is refused where the time of a rule has no zone, says nothing, ends too early, overlaps or gives owners of none', () => {
    const [from, until, later] = ['2026-12-05T00:00:00+08:00', '2026-12-04T16:00:00Z', '2026-12-06T00:00:00Z'];
    const moment = 'a moment such as 2026-11-20T08:12:01.123Z, with "Z" or an offset';
    const faults = [
      { from: '2026-12-05T00:00:00', until: '2026-02-30T00:00:00Z', points: 1, to: 3 },
      { points: 0.5 },
      { points: 1 },
      { from, until, points: 1 },
      [
        { from: later, points: 1 },
        { from, points: 1 },
      ],
      { from, points: 1, ownerPoints: 2 },
    ].flatMap((span) => faultsOf([{ ...praise, during: [span].flat() }]));
    expect(faults.map((fault) => fault.replace('rules.json: rules[0].', ''))).toEqual([
      'during[0].to is unknown: there are from, until, points, ownerPoints.',
      `during[0].from is "2026-12-05T00:00:00": use ${moment}.`,
      `during[0].until is "2026-02-30T00:00:00Z": use ${moment}.`,
      'during[0].points is 0.5: use a whole number from -1000000 to 1000000.',
      'during[0] is {"points":1}: give it from, until, or both.',
      `during[0].until is "${until}": let it be after from.`,
      'during[0].from is "2026-12-06T00:00:00.000Z": it begins before the end of during[1]; let spans follow one another.',
      'during[0].ownerPoints is 2: the rule gives owners nothing; give it grants.',
    ]);
  });

  it.each([
    ['half a document', '{"rules":[', /^rules\.json is not JSON: /],
    ['a text', '"rules"', /^rules\.json: document is "rules": use an object with rules, limits\.$/],
    ['nothing of rules', '{"limits":[]}', /^rules\.json: rules is undefined: use a list\.$/],
    ['no rule', '{"rules":[]}', /^rules\.json: rules has 0 items: configure 1 to 100\.$/],
    ['another key', '{"rules":[],"limit":[]}', /^rules\.json: document\.limit is unknown: there are rules, limits\.$/],
    ['limits that are no list', { rules: [praise], limits: {} }, /^rules\.json: limits is \{\}: use a list\.$/],
    ['an action twice', [praise, praise], /^rules\.json: rules\[\]\.action is "praise": it is given twice/],
    [
      'a name twice',
      { rules: [praise], limits: [1, 2].map((max) => ({ type: 'daily', action: 'praise', max })) },
      /^rules\.json: limits\[\]\.name is "praise-daily": it is given twice/,
    ],
  ])('is refused where it is %s', (_, document, line) => {
    expect(faultsOf(document)).toEqual([expect.stringMatching(line)]);
  });
});
