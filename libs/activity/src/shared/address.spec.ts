import { addressOf } from './address';

describe('the address by which senders are counted', () => {
  it.each([
    ['2001:db8::1', '2001:db8:0:0:ffff::1'],
    ['2001:db8:0:1::', '2001:0db8:0000:0001::ffff'],
    ['fe80::1%eth0', 'fe80::2'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ])('is the same for %s and %s', (one, other) => {
    expect(addressOf({ ip: one })).toBe(addressOf({ ip: other }));
  });

  it.each([
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['192.0.2.1', '192.0.2.2'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['not an address', 'another'],
  ])('is another for %s and %s', (one, other) => {
    expect(addressOf({ ip: one })).not.toBe(addressOf({ ip: other }));
  });
});
