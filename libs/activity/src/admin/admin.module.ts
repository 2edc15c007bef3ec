import { Module } from '@nestjs/common';
import { plainModule } from '../shared/optional-module';
import { brings } from '../shared/brings';
import { Operations } from './operations';
import { OperatorsController } from './operators.controller';
import './openapi.generated';

/** Lists what each operator did. Import it beside `ActivityModule`. */
@Module({
  providers: [
    Operations,
    brings([Operations], (operations) => ({
      operations,
      erasers: [{ kind: 'operations', erase: (userId) => operations.erase(userId) }],
      records: [{ kind: 'operations', of: (userId, isOwn) => operations.told(userId, isOwn) }],
    })),
  ],
})
export class AdminModule extends plainModule([OperatorsController]) {}
