import { type DynamicModule, Module } from '@nestjs/common';
import { besideActivity, type ModuleBesideExtras } from '../beside/module-beside';
import { Operations } from './operations';
import { OperatorsController } from './operators.controller';

/** Lists what each operator did. Import it beside `ActivityModule`. */
@Module({ providers: [Operations] })
export class AdminModule {
  /** The module. */
  static forRoot(extras: ModuleBesideExtras = {}): DynamicModule {
    return besideActivity([OperatorsController])({ module: AdminModule }, extras);
  }
}
