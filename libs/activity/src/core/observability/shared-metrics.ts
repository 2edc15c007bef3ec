import { Inject, Injectable } from '@nestjs/common';
import {
  type Aggregator,
  Counter,
  type CounterConfiguration,
  Gauge,
  Histogram,
  type HistogramConfiguration,
  type Registry,
} from 'prom-client';

/** Injects the prom-client `Registry` of the module's metrics: that of `options.metricsRegistry`, or its own. */
export const METRICS_REGISTRY = Symbol('METRICS_REGISTRY');

/** A gauge's current value, or one for each value of its label; null: not known. */
export type GaugeReading = number | ReadonlyMap<string, number> | null;

/** A counter in a table of them. */
type CounterRow = Omit<CounterConfiguration<string>, 'registers'>;

/** The counters of a table, each with its own labels. */
type CountersOf<Table extends Readonly<Record<string, CounterRow>>> = {
  readonly [Name in keyof Table]: Counter<
    Table[Name] extends { readonly labelNames: readonly (infer Label)[] } ? Label & string : string
  >;
};

/** Reads one source of a gauge. */
export type GaugeSource = () => GaugeReading | Promise<GaugeReading>;

/** A gauge whose sources are read when the metrics are. */
export interface SharedGaugeConfiguration {
  readonly name: string;
  readonly help: string;
  /** Its label, where it has one. */
  readonly label?: string;
  /** How the values of several sources become one. Default `sum`. */
  readonly aggregator?: Extract<Aggregator, 'sum' | 'min' | 'max'>;
}

const combined = { sum: (one: number, other: number): number => one + other, min: Math.min, max: Math.max };

class SharedGauge extends Gauge {
  readonly sources = new Set<GaugeSource>();

  constructor(
    private readonly shared: SharedGaugeConfiguration,
    registry: Registry,
  ) {
    const { name, help, label, aggregator = 'sum' } = shared;
    super({ name, help, aggregator, registers: [registry], labelNames: label === undefined ? [] : [label] });
  }

  override async get(): ReturnType<Gauge['get']> {
    const { label, aggregator = 'sum' } = this.shared;
    const values = valuesOf(await Promise.all([...this.sources].map(async (read) => read())), combined[aggregator]);
    this.reset();
    // A gauge without a label begins at 0; one that nobody knows has no value.
    if (label === undefined) this.remove();
    for (const [of, value] of values) {
      this.set(label === undefined ? {} : { [label]: of }, value);
    }
    return super.get();
  }
}

/**
 * Metrics of one owner, such as a module, in a registry that it may share with others of its kind in the process, and
 * with those before it. Counters and histograms go on where they are. A gauge has a source of each owner that is not
 * closed.
 */
@Injectable()
export class SharedMetrics {
  private readonly withdrawals: (() => void)[] = [];

  constructor(@Inject(METRICS_REGISTRY) private readonly registry: Registry) {}

  /** The registry's counter of this name. */
  counter<Label extends string>(config: Omit<CounterConfiguration<Label>, 'registers'>): Counter<Label> {
    const there = this.registry.getSingleMetric<Label>(config.name);
    return there instanceof Counter ? there : new Counter({ ...config, registers: [this.registry] });
  }

  /** The registry's counters of a table, by the names that the table gives them. */
  counters<const Table extends Readonly<Record<string, CounterRow>>>(table: Table): CountersOf<Table> {
    return Object.fromEntries(Object.entries(table).map(([key, row]) => [key, this.counter(row)])) as CountersOf<Table>;
  }

  /** The registry's histogram of this name. */
  histogram<Label extends string>(config: Omit<HistogramConfiguration<Label>, 'registers'>): Histogram<Label> {
    const there = this.registry.getSingleMetric<Label>(config.name);
    return there instanceof Histogram ? there : new Histogram({ ...config, registers: [this.registry] });
  }

  /**
   * Adds a source to the registry's gauge of this name. Where one source does not know its value, the gauge has none.
   */
  gauge(config: SharedGaugeConfiguration, source: GaugeSource): void {
    const there = this.registry.getSingleMetric(config.name);
    const gauge = there instanceof SharedGauge ? there : new SharedGauge(config, this.registry);
    gauge.sources.add(source);
    this.withdrawals.push(() => gauge.sources.delete(source));
  }

  /** Withdraws the owner's sources of gauges. What it has counted stays counted. */
  close(): void {
    for (const withdraw of this.withdrawals.splice(0)) withdraw();
  }
}

/** The values of a gauge by those of its label; of one without a label by ''. */
function valuesOf(
  readings: readonly GaugeReading[],
  combine: (one: number, other: number) => number,
): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const reading of readings) {
    if (reading === null) return new Map();
    for (const [of, value] of typeof reading === 'number' ? [['', reading] as const] : reading) {
      const other = values.get(of);
      values.set(of, other === undefined ? value : combine(other, value));
    }
  }
  return values;
}

/** Keeps the values of a metric's label bounded: the first ones keep their names, all others share `other`. */
export class LabelNames {
  private readonly known = new Set<string>();

  constructor(private readonly max: number) {}

  of(name: string): string {
    if (this.known.has(name)) return name;
    if (this.known.size >= this.max) return 'other';
    this.known.add(name);
    return name;
  }
}
