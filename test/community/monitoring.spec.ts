import { METRICS_REGISTRY } from '@laurel/activity';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Registry } from 'prom-client';
import { freshPrefix } from '../support/redis';
import { TestCommunity } from './support/community';
import { type KnownMetrics, readExpression } from './support/promql';

const root = join(__dirname, '../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** A rule of ops/alerts.yml. */
interface Alert {
  readonly name: string;
  readonly expression: string;
  readonly text: string;
}

const alerts: readonly Alert[] = textOf('ops/alerts.yml')
  .split('- alert: ')
  .slice(1)
  .map((text) => ({
    name: /^\w+/.exec(text)?.[0] ?? '',
    expression: (/expr: ([^]*?)\n +(?:for|labels):/.exec(text)?.[1] ?? '').replace('>-', ''),
    text,
  }));

/** A panel of ops/dashboard.json, or one of its variables. */
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

const dashboard = JSON.parse(textOf('ops/dashboard.json')) as Dashboard;
const targets = dashboard.panels.flatMap((panel) => (panel.targets ?? []).map((target) => ({ ...panel, ...target })));

const findPromtool = "import { findPromtool } from './tools/promtool.mjs'; process.stdout.write(findPromtool() ?? '');";
const promtool = execFileSync(process.execPath, ['--input-type=module', '-e', findPromtool], {
  cwd: root,
  encoding: 'utf8',
});
const withPromtool = promtool === '' ? it.skip : it;
const unlessSkipped = promtool === '' ? " (skipped: promtool is not here; it is in Debian's package prometheus)" : '';

describe('what operators watch the community by', () => {
  let community: TestCommunity;
  let known: KnownMetrics;
  let names: readonly string[];

  beforeAll(async () => {
    community = await TestCommunity.start(
      {},
      // What has metrics only where it is switched on.
      { ingestStream: `${freshPrefix()}:in`, loadBounds: { maxRequests: 256, maxLateMs: 10_000 } },
    );
    const registered = community.app.get<Registry>(METRICS_REGISTRY).getMetricsAsArray() as unknown as readonly {
      readonly name: string;
      readonly labelNames: readonly string[];
      readonly buckets?: readonly number[];
    }[];
    names = registered.map(({ name }) => name);
    known = new Map(
      registered.flatMap(({ name, labelNames, buckets }) => [
        [name, new Set(labelNames)] as const,
        ...(buckets ? [[`${name}_bucket`, new Set([...labelNames, 'le'])] as const] : []),
      ]),
    );
  });
  afterAll(() => community.stop());

  it('is read by tests that see a metric or a label that the app does not export', () => {
    const { unknown } = readExpression(
      'sum by (job, shard) (rate(laurel_gone_total{job="a"}[5m])) > 0.5 or laurel_redis_up{user="1"} offset 1h == 0',
      known,
    );
    expect(unknown).toEqual(['laurel_gone_total', 'laurel_redis_up{user}', 'by (shard)']);
  });

  it.each(alerts)(
    'has the alert $name, of metrics that there are, with its page to read',
    ({ name, expression, text }) => {
      const { metrics, unknown, labels } = readExpression(expression, known);
      expect(unknown).toEqual([]);
      expect(metrics).not.toEqual([]);
      const named = [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
      expect(named.filter((label) => !labels.has(label))).toEqual([]);
      expect(text).toMatch(/ summary: \S/);
      expect(text).toMatch(/ description: \S/);
      expect(text).toContain(` runbook: docs/runbooks.md#${name.toLowerCase()}\n`);
    },
  );

  it('has a runbook for each alert, and none besides', () => {
    const headings = [...textOf('docs/runbooks.md').matchAll(/^## (Laurel\w+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(alerts.map(({ name }) => name));
  });

  it('has, for each alert, a case in which it fires and one in which it is quiet', () => {
    const cases = textOf('ops/alerts.test.yml').split('- expr: ').slice(1);
    const missing = alerts.flatMap(({ name }) => {
      const own = cases.filter((one) => one.startsWith(`ALERTS{alertname="${name}", alertstate="firing"}`));
      return [/exp_samples: \[\]/, /exp_samples:\n +- labels:/].every((wanted) => own.some((one) => wanted.test(one)))
        ? []
        : [name];
    });
    expect(missing).toEqual([]);
  });

  withPromtool(`has alerts that Prometheus accepts, and that fire in time${unlessSkipped}`, async () => {
    for (const args of [
      ['check', 'rules', 'ops/alerts.yml'],
      ['test', 'rules', 'ops/alerts.test.yml'],
    ]) {
      expect((await promisify(execFile)(promtool, args, { cwd: root })).stdout).toContain('SUCCESS');
    }
  });

  it('has a dashboard of metrics that there are', () => {
    const faulty = targets.flatMap(({ title, expr, legendFormat }) => {
      const { unknown, labels } = readExpression(expr, known);
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      return [...unknown, ...named.filter((label) => !labels.has(label))].map((one) => `${title}: ${one}`);
    });
    expect(faulty).toEqual([]);
    const asked = dashboard.templating.list.flatMap(({ definition = '' }) =>
      [...definition.matchAll(/^label_values\((\w+)/g)].map(([, metric = '']) => metric),
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has every metric of its own on the dashboard', () => {
    const shown = new Set(targets.flatMap(({ expr }) => readExpression(expr, known).metrics));
    const missing = names.filter(
      (name) => name.startsWith('laurel_') && !shown.has(name) && !shown.has(`${name}_bucket`),
    );
    expect(missing).toEqual([]);
  });
});
