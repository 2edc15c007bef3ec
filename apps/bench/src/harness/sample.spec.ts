import { compare, reaches, spread, type Comparison } from './sample';

const metrics = [{ name: 'n', unit: 'u', target: { of: 'ratio', atMost: 1.1 } as const }];
const options = { setting: 's', baselineName: 'b', metrics, rounds: 3 };

it('a comparison runs ours and the baseline in turn, after one round that does not count, and takes medians', async () => {
  const order: string[] = [];
  const figures = { ours: [9, 1, 2, 3], theirs: [9, 2, 2, 2] };
  const [comparison] = (await compare(
    async () => (order.push('ours'), [figures.ours.shift() as number]),
    async () => (order.push('theirs'), [figures.theirs.shift() as number]),
    options,
  )) as [Comparison];
  expect(order.join(' ')).toBe(Array.from({ length: 4 }, () => 'ours theirs').join(' '));
  expect(comparison).toMatchObject({
    subject: { median: 2, min: 1, max: 3 },
    ratio: { median: 1, min: 0.5, max: 1.5 },
  });
  expect(reaches(comparison)).toBe(true);
  expect(reaches({ ...comparison, target: { of: 'subject', atMost: 1 } })).toBe(false);
  expect(reaches({ ...comparison, target: { of: 'subject', atLeast: 2 } })).toBe(true);
  expect(reaches({ ...comparison, target: null })).toBeNull();
  expect(spread([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 });
});
