import { Injectable, type ArgumentMetadata } from '@nestjs/common';
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
  private readonly remembered = new Map<string, unknown>();

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const key = metadata.type === 'query' ? `${metadata.metatype?.name} ${JSON.stringify(value)}` : undefined;
    if (key === undefined || key.length > maxKeyLength) return super.transform(value, metadata);
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const valid: unknown = Object.freeze(await super.transform(value, metadata));
    if (this.remembered.size >= maxRemembered) this.remembered.clear();
    this.remembered.set(key, valid);
    return valid;
  }
}
