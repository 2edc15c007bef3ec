import { ActivityError } from '../errors/errors';
import { defineLimit, type DefinedLimit } from './limit-type';
import { read } from '../schema/schema';
import { limitsSchema, limitTypesSchema } from './limit-schema';

const pause = defineLimit({
  type: 'pause',
  fields: ['everyMs'],
  check: ({ everyMs }, refuse) => {
    if (typeof everyMs !== 'number') return refuse('everyMs', 'use a number of milliseconds');
    return { everyMs };
  },
  window: ({ everyMs }) => ({ windowMs: everyMs, per: 'subject' }),
  allows: ({ everyMs }, { at }, given) => given.length === 0 || new Date(at.getTime() + everyMs),
});

const actions = ['praise', 'comment'];
const resolve = (...limits: unknown[]) => read(limitsSchema(actions, { limitTypes: [pause] }), limits, 'limits');

function faultsOf(...limits: unknown[]): readonly { readonly path: string; readonly message: string }[] {
  try {
    resolve(...limits);
  } catch (error) {
    if (error instanceof ActivityError && error.code === 'invalidOption') return error.faults;
    throw error;
  }
  return [];
}

describe('limits', () => {
  it('fills in names, and what limits count', () => {
    expect(
      resolve(
        { type: 'sliding', action: 'praise', max: 3, windowMs: 1000, per: 'subject' },
        { type: 'sliding', max: 3, windowMs: 1000, per: 'pair', name: 'friends' },
        { type: 'daily', action: 'comment', max: 3 },
        { type: 'daily', points: 50 },
        { type: 'pause', everyMs: 9 },
      ),
    ).toMatchObject([
      {
        name: 'praise-sliding',
        action: 'praise',
        onTransition: { type: 'sliding', max: 3, windowMs: 1000, per: 'field' },
      },
      { name: 'friends', action: null, onTransition: { type: 'sliding', max: 3, windowMs: 1000, per: 'pair' } },
      { name: 'comment-daily', action: 'comment', onTransition: { type: 'daily', max: 3, of: 'grants' } },
      { name: 'all-daily', action: null, onTransition: { type: 'daily', max: 50, of: 'points' } },
      { name: 'all-pause', action: null, onTransition: { type: 'own', windowMs: 9, per: 'field' } },
    ]);
  });

  it('asks limits of the app’s own with what their configuration was checked to', () => {
    const [limit] = resolve({ type: 'pause', everyMs: 9 });
    const grant = { field: 'p:s', points: 1, counterpart: null, ms: 1 };
    const own = limit?.onTransition;
    expect(own?.type === 'own' && [own.allows(grant, []), own.allows(grant, [grant])]).toEqual([true, 10]);
    expect(own).not.toHaveProperty('quota');
  });

  const sliding = { type: 'sliding', action: 'praise', max: 3, windowMs: 1000, per: 'action' };
  it.each([
    [null, 'limits[0] is null: use { "type": …, … }.'],
    [
      { type: 'yearly' },
      'limits[0].type is "yearly": use one of "sliding", "daily", "weekly", "monthly", "contest", "pause".',
    ],
    [{ ...sliding, action: 'dance' }, 'limits[0].action is "dance": use one of "praise", "comment".'],
    [{ ...sliding, action: undefined }, 'limits[0].action is undefined: use one of'],
    [{ ...sliding, max: 0 }, 'limits[0].max is 0: use a whole number from 1 to 10000.'],
    [{ ...sliding, windowMs: 1 }, 'limits[0].windowMs is 1: use a whole number from 1000 to 2678400000.'],
    [{ ...sliding, per: 'user' }, 'limits[0].per is "user": use one of "action", "subject", "pair".'],
    [{ ...sliding, name: 'a b' }, 'limits[0].name is "a b": use 1 to 32 of a-z, 0-9, "-" and "_".'],
    [{ ...sliding, windowsMs: 5 }, 'windowsMs'],
    [{ type: 'daily' }, 'limits[0] is ["type"]: give one of max and points.'],
    [{ type: 'daily', max: 1, points: 1 }, 'give one of max and points.'],
    [{ type: 'daily', points: 1.5 }, 'limits[0].points is 1.5: use a whole number from 1 to 1000000000.'],
    [{ type: 'pause', everyMs: 'soon' }, 'limits[0].everyMs is "soon": use a number of milliseconds.'],
    [{ type: 'pause', everyMs: 1, max: 5 }, 'max'],
  ])('refuses %j with one message', (limit, message) => {
    const faults = faultsOf(limit);
    expect(faults.map((fault) => `${fault.path} ${fault.message}`)).toEqual([expect.stringContaining(message)]);
  });

  it('tells every fault of every limit, each by its path', () => {
    const faults = faultsOf({ ...sliding, max: -1, per: 1 }, sliding, sliding, { type: 'daily', max: 1, action: 'x' });
    const paths = faults.map(({ path }) => path);
    expect(paths).toEqual(['limits[0].max', 'limits[0].per', 'limits[3].action', 'limits[].name']);
  });
});

const typed = (change: Partial<DefinedLimit>) => read(limitTypesSchema, [{ ...pause, ...change }], 'limitTypes');

it('types of limits refuses what is no type of limit, or shares its name with another', () => {
  expect(() => read(limitTypesSchema, [pause, pause], 'limitTypes')).toThrow(
    'limitTypes[].type is "pause": it is given twice',
  );
  expect(() => typed({ type: 'daily' })).toThrow('limitTypes[].type is "daily": it is given twice');
  expect(() => typed({ type: 'Pause' })).toThrow('limitTypes[0].type is "Pause": use 1 to 32');
  expect(() => typed({ resolve: null as unknown as DefinedLimit['resolve'] })).toThrow(
    'use the result of defineLimit()',
  );
  expect(typed({})).toEqual([pause]);
});
