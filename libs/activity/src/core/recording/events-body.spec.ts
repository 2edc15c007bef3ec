import { Ajv } from 'ajv';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesOf, eventsBodySchema } from './events-body';

const praise = { userId: '7', action: 'praise', subject: 'article:42' };

describe('changesOf', () => {
  it('reads the fields that the documents list', () => {
    const page = readFileSync(join(__dirname, '../../../../../docs/receive-activities.md'), 'utf8');
    const [table = ''] = /^\| field of an event [^]*?\n\n/m.exec(page) ?? [];
    const fields = Object.keys(eventsBodySchema.properties.events.items.properties);
    expect([...table.matchAll(/`(\w+)`(?=,| +\|)/g)].map(([, field]) => field).sort()).toEqual(fields.sort());
  });

  it('reads each field, and leaves out what is left out', () => {
    const full = { revoke: true, sequence: 3, ownerId: '8', partitions: { category: 'redis' } };
    const [plain, whole] = changesOf({
      events: [praise, { ...praise, ...full, occurredAt: '2028-02-29T08:12:01.123+08:00', grantedAt: null }],
    });
    expect(Object.keys(plain ?? {}).sort()).toEqual(['action', 'grantedAt', 'occurredAt', 'subject', 'userId']);
    expect(plain).toEqual({ ...praise, occurredAt: null, grantedAt: null });
    const occurredAt = new Date('2028-02-29T00:12:01.123Z');
    expect(whole).toEqual({ ...praise, ...full, occurredAt, grantedAt: null });
  });

  it.each(['2026-02-30T00:00:00Z', '2026-02-29T00:00:00Z', '2026-11-20T08:12:01', '2026-11-20'])(
    'refuses %s, which is no moment',
    (occurredAt) => {
      expect(() => changesOf({ events: [{ ...praise, occurredAt }] })).toThrow(
        /events\.0\.occurredAt must be a moment/,
      );
    },
  );

  it.each([
    [null, 'body must be object'],
    [{ events: [praise], when: 'now' }, 'when is not a known property'],
    [{}, 'events is missing'],
    [{ events: {} }, 'events must be array'],
    [{ events: [] }, 'events must NOT have fewer than 1 items'],
    [{ events: new Array(1_001).fill(praise) }, 'events must NOT have more than 1000 items'],
    [{ events: [praise, 'praise'] }, 'events.1 must be object'],
    [{ events: [praise, { userId: '7', action: 'praise' }] }, 'events.1.subject is missing'],
    [{ events: [{ ...praise, userId: 7 }] }, 'events.0.userId must be string'],
    [{ events: [{ ...praise, revoke: 'yes' }] }, 'events.0.revoke must be boolean'],
    [{ events: [{ ...praise, sequence: -1 }] }, 'events.0.sequence must be a whole number from 0'],
    [{ events: [{ ...praise, partitions: { team: 3 } }] }, 'events.0.partitions.team must be string'],
    [{ events: [{ ...praise, ['x'.repeat(50)]: 1 }] }, `events.0.${'x'.repeat(40)}… is not a known property`],
  ])('names the first fault of a body: %#', (body, message) => {
    expect(() => changesOf(body)).toThrow(message);
  });

  it('takes what the schema in the OpenAPI document describes, and nothing else', () => {
    const validate = new Ajv({ formats: { moment: () => true }, allowUnionTypes: true }).compile(eventsBodySchema);
    const moments = fc.constantFrom('2026-11-20T08:12:01.123Z', '2026-11-20T08:12:01+08:00', null);
    const odd = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.constant([]), fc.constant({}), fc.double());
    const event = fc.record(
      {
        userId: fc.oneof({ weight: 20, arbitrary: fc.string() }, odd),
        action: fc.oneof({ weight: 20, arbitrary: fc.string() }, odd),
        subject: fc.oneof({ weight: 20, arbitrary: fc.string() }, odd),
        occurredAt: fc.oneof({ weight: 20, arbitrary: moments }, odd),
        grantedAt: fc.oneof({ weight: 20, arbitrary: moments }, odd),
        revoke: fc.oneof(fc.boolean(), fc.constant(null), odd),
        sequence: fc.oneof(fc.maxSafeNat(), fc.constant(null), odd),
        ownerId: fc.oneof({ weight: 9, arbitrary: fc.string() }, odd),
        partitions: fc.oneof(fc.dictionary(fc.string(), fc.oneof({ weight: 9, arbitrary: fc.string() }, odd)), odd),
        constructor: odd,
      },
      { requiredKeys: ['userId', 'action', 'subject'] },
    );
    const body = fc.record({ events: fc.array(fc.oneof({ weight: 9, arbitrary: event }, odd), { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: body }, odd), (given) => {
        expect(isTaken(given)).toBe(validate(given));
      }),
    );
  });
});

function isTaken(body: unknown): boolean {
  try {
    changesOf(body);
    return true;
  } catch {
    return false;
  }
}
