import { Registry } from 'prom-client';
import { type GaugeReading, LabelNames, type SharedGaugeConfiguration, SharedMetrics } from './shared-metrics';

/** The lines of a registry's figures, without what describes them. */
async function linesOf(registry: Registry): Promise<string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('metrics in a shared registry', () => {
  const both = () => {
    const registry = new Registry();
    return { registry, one: new SharedMetrics(registry), two: new SharedMetrics(registry) };
  };

  it('are counted together', async () => {
    const { registry, one, two } = both();
    const config = { name: 'things_total', help: 'Things.', labelNames: ['kind'] };
    one.counter(config).inc({ kind: 'a' });
    two.counter(config).inc({ kind: 'a' }, 2);
    two.counter(config).inc({ kind: 'b' });
    expect(await linesOf(registry)).toEqual(['things_total{kind="a"} 3', 'things_total{kind="b"} 1']);
  });

  it('are measured together', async () => {
    const { registry, one, two } = both();
    const config = { name: 'seconds', help: 'Seconds.', buckets: [1] };
    one.histogram(config).observe(0.5);
    two.histogram(config).observe(2);
    expect(await linesOf(registry)).toEqual([
      'seconds_bucket{le="1"} 1',
      'seconds_bucket{le="+Inf"} 2',
      'seconds_sum 2.5',
      'seconds_count 2',
    ]);
  });

  it.each<[string, Partial<SharedGaugeConfiguration>, GaugeReading, GaugeReading, string[]]>([
    ['adds up its sources', {}, 2, 3, ['level 5']],
    ['takes the lowest', { aggregator: 'min' }, 1, 0, ['level 0']],
    ['takes the highest', { aggregator: 'max' }, 7, 4, ['level 7']],
    ['has no value where a source does not know it', {}, 2, null, []],
    [
      'adds up the values of each label',
      { label: 'of' },
      new Map([['a', 1]]),
      new Map([
        ['a', 2],
        ['b', 5],
      ]),
      ['level{of="a"} 3', 'level{of="b"} 5'],
    ],
  ])('have gauges: one %s', async (_, config, first, second, lines) => {
    const { registry, one, two } = both();
    one.gauge({ name: 'level', help: 'Level.', ...config }, () => first);
    two.gauge({ name: 'level', help: 'Level.', ...config }, () => Promise.resolve(second));
    expect(await linesOf(registry)).toEqual(lines);
  });

  it('have gauges of those that are open, each as it is now', async () => {
    const { registry, one, two } = both();
    const level = { name: 'level', help: 'Level.' };
    let now = 2;
    one.gauge(level, () => now);
    two.gauge(level, () => 3);
    one.counter({ name: 'things_total', help: 'Things.' }).inc();
    expect(await linesOf(registry)).toEqual(['level 5', 'things_total 1']);
    now = 4;
    two.close();
    expect(await linesOf(registry)).toEqual(['level 4', 'things_total 1']);
    one.close();
    expect(await linesOf(registry)).toEqual(['things_total 1']);
    new SharedMetrics(registry).gauge(level, () => 9);
    expect(await linesOf(registry)).toEqual(['level 9', 'things_total 1']);
  });

  it("do not take over a metric of the app's own that has another type", () => {
    const { one } = both();
    one.counter({ name: 'level', help: 'Level.' });
    expect(() => one.gauge({ name: 'level', help: 'Level.' }, () => 1)).toThrow('already been registered');
  });
});

it('the names of a label stay bounded: who comes late shares one', () => {
  const names = new LabelNames(2);
  expect([...'abcadb'].map((name) => names.of(name)).join(' ')).toBe('a b other a other b');
});
