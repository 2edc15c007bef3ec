import { requestIdOf } from './request-ids';

const idOf = (given?: string) => requestIdOf({ headers: given === undefined ? {} : { 'x-request-id': given } });

describe('the id of a request', () => {
  it('is the one that a proxy gave', () => {
    for (const given of ['7', 'b1946ac9-2f1e-4c1d', 'Root.1:67891233_abc', 'x'.repeat(64)]) {
      expect(idOf(given)).toBe(given);
    }
  });

  it('is one of ours, another each time, where none was given or a hostile one', () => {
    const hostile = ['', ' ', 'x'.repeat(65), 'a b', 'a\nb', '{"level":"fatal"}', 'a, b', '\u001b[31m', 'é', '<b>'];
    const ids = [undefined, undefined, ...hostile].map(idOf);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
