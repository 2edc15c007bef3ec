// Generated from types and comments by `npm run generate`. Do not edit.
import { OperationsAnswer } from './operators.controller';
import { Operation } from '../core/extensions/operation';

Object.assign(OperationsAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    operations: { type: Operation, required: true, isArray: true},
  }),
});
