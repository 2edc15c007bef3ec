import { Injectable } from '@nestjs/common';
import type { HealthIndicatorResult } from '@nestjs/terminus';
import { Pool } from 'pg';

/** Tells whether the database answers. */
@Injectable()
export class DatabaseHealth {
  constructor(private readonly pool: Pool) {}

  /** One round trip. Never rejects. */
  async check(): Promise<HealthIndicatorResult<'database'>> {
    try {
      await this.pool.query('SELECT 1');
      return { database: { status: 'up' } };
    } catch {
      return { database: { status: 'down', message: 'The database is away: try again in a moment.' } };
    }
  }
}
