/** What an expression of PromQL names that nobody exports, and by which labels its results differ. */
export interface ReadExpression {
  readonly metrics: readonly string[];
  readonly unknown: readonly string[];
  /** Labels that a text about a result may name. */
  readonly labels: ReadonlySet<string>;
}

/** The labels of each metric by its name. */
export type KnownMetrics = ReadonlyMap<string, ReadonlySet<string>>;

/** What Prometheus itself adds to each series. */
const added = ['job', 'instance'];
const grouping = /\b(?:by|on|ignoring|without)\s*\(([^)]*)\)/g;
const operators = new Set(['and', 'or', 'unless', 'offset', 'bool']);

/** Reads the metrics and labels of an expression; functions and numbers are Prometheus' own to check. */
export function readExpression(expression: string, known: KnownMetrics): ReadExpression {
  const bare = expression.replace(/"[^"]*"/g, '""').replace(/\[[^\]]*\]/g, '');
  const grouped = [...bare.matchAll(grouping)].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
  const [metrics, unknown, labels]: [string[], string[], string[]] = [[], [], [...added]];
  const vectors = bare
    .replace(grouping, ' ')
    .matchAll(/(?<![\w:.])([a-z_:][\w:]*)(?![\w:])(?!\s*\()\s*(?:\{([^}]*)\})?/gi);
  for (const [, name = '', selector = ''] of vectors) {
    if (operators.has(name)) continue;
    const own = known.get(name);
    if (own) metrics.push(name);
    else unknown.push(name);
    labels.push(...(own ?? []));
    const selected = [...selector.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label);
    for (const label of selected) if (!own?.has(label) && !added.includes(label)) unknown.push(`${name}{${label}}`);
  }
  unknown.push(...grouped.filter((label) => !labels.includes(label)).map((label) => `by (${label})`));
  return { metrics, unknown, labels: new Set(grouped.length > 0 ? grouped : labels) };
}
