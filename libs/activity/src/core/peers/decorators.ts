import type * as Swagger from '@nestjs/swagger';
import type * as Transformer from 'class-transformer';
import type * as Validator from 'class-validator';
import { optional } from './optional';

/** Stands in for each decorator of a package that is not installed. */
const nothing = new Proxy({}, { get: () => () => function nothing() {} });

const swagger = optional(() => require('@nestjs/swagger') as typeof Swagger);
const transformer = optional(() => require('class-transformer') as typeof Transformer);
const validator = optional(() => require('class-validator') as typeof Validator);

/** Whether queries and bodies can be validated; if not, no route is mounted. */
export const canValidate = transformer !== undefined && validator !== undefined;

/** Without `@nestjs/swagger` these do nothing. */
export const {
  ApiBearerAuth,
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiProperty,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} = swagger ?? (nothing as typeof Swagger);

export const { Transform } = transformer ?? (nothing as typeof Transformer);

export const { IsOptional, ValidateBy } = validator ?? (nothing as typeof Validator);
