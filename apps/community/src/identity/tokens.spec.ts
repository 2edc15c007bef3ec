import type { RedisClient } from '@laurel/leaderboard';
import { JwtService } from '@nestjs/jwt';
import type { CommunityOptions } from '../options/community.options';
import { tokenLifeS, Tokens } from './tokens';

describe('tokens', () => {
  const jwt = new JwtService({
    secret: 'a-secret-of-the-tests',
    signOptions: { algorithm: 'HS256', expiresIn: tokenLifeS },
    verifyOptions: { algorithms: ['HS256'] },
  });
  const redis = {} as RedisClient; // asked for ended tokens alone
  const options = { activity: {} } as CommunityOptions;
  const tokens = new Tokens(jwt, redis, options);
  beforeEach(() => void jest.useFakeTimers({ now: new Date('2026-11-20T08:00:00.250Z') }));
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('name their user, and nobody from the moment on that they expire', () => {
    const { token, expiresAt } = tokens.issue('42');
    expect(tokens.identify(`Bearer ${token}`)).toEqual({ id: '42' });
    jest.setSystemTime(expiresAt.getTime() - 1);
    expect(tokens.identify(`Bearer ${token}`)).toEqual({ id: '42' });
    jest.setSystemTime(expiresAt);
    expect(tokens.identify(`Bearer ${token}`)).toBeNull();
  });

  it('of another secret name nobody', () => {
    const { token } = new Tokens(
      new JwtService({ secret: 'another', signOptions: { expiresIn: 60 } }),
      redis,
      options,
    ).issue('42');
    expect(tokens.identify(`Bearer ${token}`)).toBeNull();
  });
});
