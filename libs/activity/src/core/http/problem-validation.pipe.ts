import {
  type ArgumentMetadata,
  BadRequestException,
  Injectable,
  Optional,
  ValidationPipe,
  type ValidationError,
  type ValidationPipeOptions,
} from '@nestjs/common';
import type { Fault } from '../errors/errors';

/** class-transformer and class-validator descend by recursion: deeper bodies than any DTO's are refused before them. */
const maxDepth = 32;

/**
 * Nest's `ValidationPipe` that refuses unknown properties, and names each fault by its path, for the `errors` of a
 * problem document. Apps may use it for their own DTOs; of a body without a DTO it checks only how deep it is nested.
 */
@Injectable()
export class ProblemValidationPipe extends ValidationPipe {
  constructor(@Optional() options: ValidationPipeOptions = {}) {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      stopAtFirstError: true,
      exceptionFactory: (errors: readonly ValidationError[]) =>
        invalidInput(errors.flatMap((error) => faultsOf(error))),
      ...options,
    });
  }

  /** Refuses bodies that are nested too deep, then does what `ValidationPipe` does. */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' && isDeeperThan(value, maxDepth)) {
      throw invalidInput([{ path: 'body', message: `must not be nested more than ${maxDepth} deep` }]);
    }
    return super.transform(value, metadata) as Promise<unknown>;
  }
}

/** Whether objects and arrays hold one another in more than so many levels. */
function isDeeperThan(value: unknown, levels: number): boolean {
  const partsOf = (given: unknown): unknown[] =>
    typeof given === 'object' && given !== null ? Object.values(given) : [];
  let level = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap(partsOf);
    if (level.length === 0) return false;
  }
  return true;
}

/** A 400 that names each fault. */
export function invalidInput(faults: readonly Fault[]): BadRequestException {
  const detail = faults.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new BadRequestException({ message: detail, errors: faults });
}

function faultsOf({ property, constraints = {}, children = [] }: ValidationError, parent = ''): Fault[] {
  const path = parent + property;
  const own = Object.values(constraints).map((message) => ({ path, message: withoutPath(message, property) }));
  return [...own, ...children.flatMap((child) => faultsOf(child, `${path}.`))];
}

/** class-validator's messages begin with the property, which the path says already. */
function withoutPath(message: string, property: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}
