import { hash } from 'bcryptjs';
import { Registry } from 'prom-client';
import { maxHashesAtOnce, Passwords } from './passwords';

const password = 'a password of the tests';

describe('Passwords', () => {
  let registry: Registry;
  let passwords: Passwords;
  beforeEach(() => {
    registry = new Registry();
    passwords = new Passwords(registry);
  });
  afterEach(() => passwords.onApplicationShutdown());

  /** How often the event loop comes round while `work` is done. */
  const turnsDuring = async (work: () => Promise<unknown>) => {
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await work();
    isOver = true;
    return turns;
  };

  it('lets the event loop go on meanwhile', async () => {
    await passwords.hash(password);
    const here = await turnsDuring(() => Promise.all(Array.from({ length: 8 }, () => hash(password, 10))));
    const there = await turnsDuring(() => Promise.all(Array.from({ length: 8 }, () => passwords.hash(password))));
    expect(there).toBeGreaterThan(20 * here);
  });

  it('accepts a password by its hash, from any bcrypt library, and no other', async () => {
    const stored = await passwords.hash(password);
    const before = await hash(password, 10);
    expect(stored).toMatch(/^\$2b\$10\$.{53}$/);
    expect(
      await Promise.all([
        passwords.matches(password, stored),
        passwords.matches(password, before),
        passwords.matches('another', stored),
        passwords.matches(password, undefined),
        passwords.matches(password, ''),
        passwords.matches(password, '?'.repeat(60)).catch(() => 'failed'),
        passwords.matches(password, stored),
      ]),
    ).toEqual([true, true, false, false, false, 'failed', true]);
  });

  it('knows no password by its first 72 bytes', async () => {
    const longest = 'é'.repeat(36);
    const stored = await passwords.hash(longest);
    expect(await passwords.matches(longest, stored)).toBe(true);
    expect(await passwords.matches(`${longest} and more`, stored)).toBe(false);
  });

  it('refuses what comes beyond so many at once, and takes all again after', async () => {
    const all = await Promise.allSettled(Array.from({ length: maxHashesAtOnce + 9 }, () => passwords.hash(password)));
    const refused = all.filter((one) => one.status === 'rejected').map(({ reason }): unknown => reason);
    expect(refused).toHaveLength(9);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'overloaded' });
    expect(await registry.metrics()).toMatch(/^laurel_refused_passwords_total 9$/m);
    expect(await passwords.matches(password, await passwords.hash(password))).toBe(true);
  });

  it('fails what waits when it is closed, and starts nothing any more', async () => {
    const waiting = Promise.allSettled([1, 2, 3, 4].map(() => passwords.hash(password)));
    await passwords.onApplicationShutdown();
    expect((await waiting).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    await expect(passwords.hash(password)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
