import { METRICS_REGISTRY } from '@laurel/activity';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';

/** What refused a request. */
export type ThrottleName = 'requests' | 'address' | 'name';

/** Counts requests that were refused, or slowed, because there were too many. */
@Injectable()
export class ThrottleMetrics {
  private readonly throttled: Counter<'limit'>;

  constructor(@Inject(METRICS_REGISTRY) registry: Registry) {
    this.throttled = new Counter({
      name: 'laurel_throttled_requests_total',
      help: 'Requests answered 429 for their number, by limit: requests, or signing in from an address; name: slowed.',
      labelNames: ['limit'],
      registers: [registry],
    });
    for (const limit of ['requests', 'address', 'name']) this.throttled.inc({ limit }, 0);
  }

  count(limit: ThrottleName): void {
    this.throttled.inc({ limit });
  }
}
