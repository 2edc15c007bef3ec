import { pollEveryMs } from './live-rules';

it('an instance asks for the rules in force every two seconds: within three they reach all', () => {
  expect(pollEveryMs).toBeLessThanOrEqual(2_000);
});
