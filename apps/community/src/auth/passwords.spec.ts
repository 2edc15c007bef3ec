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
    const times = Array.from({ length: 8 });
    const stored = await passwords.hash(password);
    // A hash on the event loop would leave it a turn after each.
    for (const work of [() => passwords.hash(password), () => passwords.matches(password, stored)]) {
      expect(await turnsDuring(() => Promise.all(times.map((): Promise<unknown> => work())))).toBeGreaterThan(
        10 * times.length,
      );
    }
  });

  it('accepts a password by its hash, and no other', async () => {
    const stored = await passwords.hash(password);
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(stored).not.toBe(await passwords.hash(password));
    expect(
      await Promise.all([
        passwords.matches(password, stored),
        passwords.matches('another', stored),
        passwords.matches(password, undefined),
        passwords.matches(password, ''),
        passwords.matches(password, '?'.repeat(60)),
        passwords.matches(password, stored),
      ]),
    ).toEqual([true, false, false, false, false, true]);
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
});
