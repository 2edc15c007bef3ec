import { pagePath } from './page-path';

describe('pagePath', () => {
  it.each([
    ['/', '/'],
    ['//', '/'],
    ['/articles/7', '/articles/7'],
    ['/articles/7/', '/articles/7'],
    ['/articles/7?page=2&q=/x', '/articles/7'],
    ['/articles/7#top', '/articles/7'],
    ['http://any.host:80/articles/7?page=2', '/articles/7'],
    ['HTTPS://host', '/'],
    ['/articles/%37', '/articles/7'],
    ['/articles/%E5%90%8D', '/articles/名'],
    ['/articles/名', '/articles/名'],
    ['/articles/a%2Fb', '/articles/a%2Fb'],
    ['/articles/a%2fb', '/articles/a%2Fb'],
    ['/articles/100%25', '/articles/100%25'],
    ['/articles/%zz', '/articles/%zz'],
  ])('names %s %s', (url, path) => {
    expect(pagePath(url)).toBe(path);
  });

  it('takes fixed segments from the route and the others from the address', () => {
    expect(pagePath('/ARTICLES/Seven', '/articles/:id')).toBe('/articles/Seven');
    expect(pagePath('/Files/A/B', '/files/*')).toBe('/files/A/B');
  });
});
