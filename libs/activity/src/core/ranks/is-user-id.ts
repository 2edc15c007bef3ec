import type { ValidationOptions } from 'class-validator';
import { identifierFault, maxUserIdBytes } from '../activity/activity';
import { ValidateBy } from '../peers/decorators';

/** Validates a user id: 1 to 128 bytes of well-formed text. */
export function IsUserId(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isUserId',
      validator: {
        validate: (value: unknown) => identifierFault(value, maxUserIdBytes) === null,
        defaultMessage: () => `must be well-formed text of 1 to ${maxUserIdBytes} bytes in UTF-8`,
      },
    },
    options,
  );
}
