import { ConfigurableModuleBuilder, type ModuleMetadata } from '@nestjs/common';
import { ActivityController } from './recording/activity.controller';
import { AdjustmentController } from './moderation/adjustments/adjustment.controller';
import type { ActivityModuleExtras, ActivityModuleOptions } from './options/activity.options';
import { ErasureController } from './moderation/erasure/erasure.controller';
import { ExclusionsController } from './moderation/exclusions/exclusions.controller';
import { withRoutes } from './http/module-beside';
import { OperatorsController } from './admin/operators.controller';
import { ReviewsController } from './moderation/reviews/reviews.controller';
import { RankController } from './ranks/rank.controller';
import { RulesController } from './live-rules/rules.controller';
import { SimulationsController } from './tools/simulate/simulations.controller';
import { TransparencyController } from './account/transparency.controller';

/** What is given beside the options; `imports` bring what they need, and the app's `USER_DIRECTORY`. */
type Extras = Required<Pick<ActivityModuleExtras, 'isGlobal' | 'controllers'>> & Pick<ModuleMetadata, 'imports'>;

/** The module's own routes. */
const routes = [
  RankController,
  ActivityController,
  AdjustmentController,
  ErasureController,
  ExclusionsController,
  OperatorsController,
  ReviewsController,
  RulesController,
  SimulationsController,
  TransparencyController,
];

const defaults: Extras = { isGlobal: true, controllers: {}, imports: [] };

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<ActivityModuleOptions>({ moduleName: 'Activity' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createActivityOptions')
    .setExtras(defaults, (definition, { isGlobal, controllers, imports = [] }) => {
      const all = [...new Set([...(definition.imports ?? []), ...imports])];
      return withRoutes({ ...definition, global: isGlobal, imports: all }, routes, controllers);
    })
    .build();
