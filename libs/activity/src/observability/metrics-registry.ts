/**
 * Injects the prom-client `Registry` that holds the module's metrics: the one of `options.metricsRegistry`, or its own.
 */
export const METRICS_REGISTRY = Symbol('METRICS_REGISTRY');
