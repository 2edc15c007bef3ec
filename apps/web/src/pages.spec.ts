import { ownPages, pages, served } from './pages';

describe('the pages', () => {
  it.each(Object.values(pages))('have %s, alone and with a query', (path) => {
    expect([path, `${path}?from=here`, `${path}#content`].every((address) => ownPages.test(address))).toBe(true);
  });

  it.each(['/ranks/day', '/articles/7', '/reader', '/boards', '/docs', '/avatars/7.svg', '/users/7'])(
    'leave %s to the server',
    (path) => {
      expect(ownPages.test(path)).toBe(false);
    },
  );

  it('are answered by the server at each address', () => {
    expect(served).toEqual(
      expect.arrayContaining(['/', '/board', '/board/*', '/read', '/read/*', '/people/*', '/write']),
    );
  });
});
