import { registerDecorator } from 'class-validator';

/** A text of at most `max` bytes in UTF-8. */
export function MaxBytes(max: number): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'maxBytes',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => typeof value === 'string' && Buffer.byteLength(value) <= max,
        defaultMessage: () => `$property must be at most ${max} bytes in UTF-8`,
      },
    });
}
