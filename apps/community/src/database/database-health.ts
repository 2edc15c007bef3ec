import { Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { Pool } from 'pg';

/** Tells whether the database answers. */
@Injectable()
export class DatabaseHealth {
  constructor(
    private readonly pool: Pool,
    private readonly indicators: HealthIndicatorService,
  ) {}

  /** One round trip. Never rejects. */
  async check<Key extends string>(key: Key): Promise<HealthIndicatorResult<Key>> {
    const indicator = this.indicators.check(key);
    try {
      await this.pool.query('SELECT 1');
      return indicator.up();
    } catch {
      return indicator.down('The database is away.');
    }
  }
}
