import { pathOf } from './path-of';

describe('a path with values in it', () => {
  it('keeps a value within its place, whatever is in it', () => {
    expect(pathOf`/people/${'team/7'}`).toBe('/people/team%2F7');
    expect(pathOf`/ranks/${'../articles/7'}/users/${'a?b#c'}/around`).toBe(
      '/ranks/..%2Farticles%2F7/users/a%3Fb%23c/around',
    );
    expect(pathOf`/read/${7}`).toBe('/read/7');
  });
});
