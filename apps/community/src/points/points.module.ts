import { Module } from '@nestjs/common';
import { PointsController } from './points.controller';

/** How points are earned. */
@Module({ controllers: [PointsController] })
export class PointsModule {}
