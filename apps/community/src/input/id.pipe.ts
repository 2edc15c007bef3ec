import { Injectable, NotFoundException, type PipeTransform } from '@nestjs/common';

const maxId = 2n ** 63n - 1n;

/** Whether a text can be a row's id. */
export function isId(text: unknown): text is string {
  return typeof text === 'string' && /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= maxId;
}

/** An id in a path. What cannot be one names nothing that exists: 404. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (isId(value)) return value;
    throw new NotFoundException('There is nothing of this id here.');
  }
}
