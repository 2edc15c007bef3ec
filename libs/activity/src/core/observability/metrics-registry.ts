/** Injects the prom-client `Registry` of the module's metrics: that of `options.metricsRegistry`, or its own. */
export const METRICS_REGISTRY = Symbol('METRICS_REGISTRY');
