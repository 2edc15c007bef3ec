import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { activityEnvironment } from './activity-environment';
import { unreadVariables } from './known-variables';

describe('variables that begin with LAUREL_', () => {
  it.each([
    ['LAUREL_API_KYE', 'LAUREL_API_KEY'],
    ['LAUREL_TIMEZON', 'LAUREL_TIMEZONE'],
    ['LAUREL_SHARD', 'LAUREL_SHARDS'],
    ['LAUREL_RETENTIONS', 'LAUREL_RETENTION'],
    ['LAUREL_THROTLE', 'LAUREL_THROTTLE'],
  ])('are refused where they are misspelt: %s', (name, meant) => {
    expect(() => activityEnvironment({ [name]: 'x' })).toThrow(`${name} is unknown: perhaps ${meant} is meant.`);
  });

  it('are told of where nothing reads them and none is alike, as those of another version', () => {
    const variables = { LAUREL_OF_TOMORROW: '1', LAUREL_TEST_SEED: '7', LAUREL_PREFIX: 'lr', PATH: '/bin' };
    expect(activityEnvironment(variables)).toMatchObject({ prefix: 'lr' });
    expect(unreadVariables(variables)).toEqual(['LAUREL_OF_TOMORROW is set, and nothing reads it']);
  });

  it('are all known that the documents name', () => {
    const root = join(__dirname, '../../..');
    const texts = [
      'docs/environment.md',
      'apps/community/README.md',
      'docker-compose.yml',
      'README.md',
      'docs/go-to-production.md',
    ];
    const named = texts.flatMap(
      (file) => readFileSync(join(root, file), 'utf8').match(/\bLAUREL_[A-Z_]*[A-Z]\b/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(20);
    expect(unreadVariables(Object.fromEntries(named.map((name) => [name, '1'])))).toEqual([]);
  });
});
