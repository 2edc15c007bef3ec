import { wholePercent } from './whole-percent';

it.each([
  [0.04, 1],
  [1.99, 1],
  [86.5, 86],
  [87, 87],
  [99.6, 99],
  [99.996, 99],
])('wholePercent tells a percentile of %d as %d', (percentile, percent) => {
  expect(wholePercent(percentile)).toBe(percent);
});
