import { ownPages, pages, pathOf, served, withQuery } from './pages';

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

  it('keep a value within its place, whatever is in it', () => {
    expect(pathOf('person', 'team/7')).toBe('/people/team%2F7');
    expect(pathOf('board', '../articles/7?a#b$&')).toBe('/board/..%2Farticles%2F7%3Fa%23b%24%26');
    expect([pathOf('home'), pathOf('signIn')]).toEqual(['/', '/sign-in']);
  });

  it('have what is given of a query', () => {
    expect(withQuery(pathOf('articles'), { category: 'arts', cursor: undefined })).toBe('/read?category=arts');
    expect(withQuery(pathOf('articles'), { category: undefined })).toBe('/read');
  });
});
