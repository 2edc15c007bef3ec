import { Module } from '@nestjs/common';
import { Outcomes } from '../outcomes/outcomes';
import { ActivityReceiver } from './activity-receiver';
import { ActivityRelay } from './activity-relay';
import { Outbox } from './outbox';
import { OutboxMetrics } from './outbox-metrics';

/**
 * Changes and their events in one transaction, and the relay that hands the events to recording. Not global, on
 * purpose: so it is shut down before the database and the ranking module, which are.
 */
@Module({ providers: [ActivityReceiver, ActivityRelay, Outbox, OutboxMetrics, Outcomes], exports: [Outbox, Outcomes] })
export class OutboxModule {}
