import { type DynamicModule, Module } from '@nestjs/common';
import { besideActivity, type ModuleBesideExtras } from '../beside/module-beside';
import { Operations } from './operations';
import { OperatorsController } from './operators.controller';

/** Lists who of the operators did what. Import it beside `ActivityModule`. */
@Module({ providers: [Operations] })
export class AdminModule {
  /** The module. */
  static forRoot(extras: ModuleBesideExtras = {}): DynamicModule {
    return besideActivity([OperatorsController])({ module: AdminModule }, extras);
  }
}
