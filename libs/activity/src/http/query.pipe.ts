import { Injectable, type ArgumentMetadata, type Type } from '@nestjs/common';
import { ProblemValidationPipe } from './problem-validation.pipe';

/** The most queries remembered for each DTO; then they are forgotten all at once. */
const maxRemembered = 1_000;

/** The longest query worth remembering: cursors are not, nobody sends one twice. */
const maxKeyLength = 120;

/**
 * {@link ProblemValidationPipe} for the query strings of hot routes: the same few come again and again, and validating
 * one costs more than the rest of a cached answer. What was valid once is given again, frozen.
 */
@Injectable()
export class QueryPipe extends ProblemValidationPipe {
  /** By the class itself: a minified bundle gives several the same name. */
  private readonly remembered = new WeakMap<Type, Map<string, unknown>>();

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    const key = type === 'query' && metatype ? JSON.stringify(value) : undefined;
    if (key === undefined || !metatype || key.length > maxKeyLength) return super.transform(value, metadata);
    let ofClass = this.remembered.get(metatype);
    if (!ofClass) this.remembered.set(metatype, (ofClass = new Map<string, unknown>()));
    const known = ofClass.get(key);
    if (known !== undefined) return known;
    const valid: unknown = Object.freeze(await super.transform(value, metadata));
    if (ofClass.size >= maxRemembered) ofClass.clear();
    ofClass.set(key, valid);
    return valid;
  }
}
