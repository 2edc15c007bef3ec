import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { ProblemValidationPipe } from './problem-validation.pipe';

/** The most queries remembered for each DTO; then they are forgotten all at once. */
const maxRemembered = 1_000;

/** The longest query worth remembering: cursors are not, nobody sends one twice. */
const maxKeyLength = 120;

/**
 * {@link ProblemValidationPipe} for the query strings of hot routes, `@Query(QueryPipe)`: the same few come again and
 * again, and validating one costs more than the rest of a cached answer. What was valid once is given again, frozen.
 */
@Injectable()
export class QueryPipe implements PipeTransform {
  private readonly validation = new ProblemValidationPipe();
  /** By the class itself: a minified bundle gives several the same name. */
  private readonly remembered = new WeakMap<Type, Map<string, unknown>>();

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { metatype } = metadata;
    const key = JSON.stringify(value);
    if (!metatype || key.length > maxKeyLength) return this.validation.transform(value, metadata);
    let ofClass = this.remembered.get(metatype);
    if (!ofClass) this.remembered.set(metatype, (ofClass = new Map<string, unknown>()));
    return ofClass.get(key) ?? this.validated(value, metadata, { key, ofClass });
  }

  private async validated(
    value: unknown,
    metadata: ArgumentMetadata,
    { key, ofClass }: { readonly key: string; readonly ofClass: Map<string, unknown> },
  ): Promise<unknown> {
    const valid: unknown = Object.freeze(await this.validation.transform(value, metadata));
    if (ofClass.size >= maxRemembered) ofClass.clear();
    ofClass.set(key, valid);
    return valid;
  }
}
