import { Injectable } from '@nestjs/common';

/** Counts calls that record from their beginning to their end, however many steps they take, and tells when there are none. */
@Injectable()
export class CallsUnderWay {
  private count = 0;
  private onIdle: (() => void) | undefined;

  /** Runs one. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    this.count += 1;
    try {
      return await call();
    } finally {
      this.count -= 1;
      if (this.count === 0) this.onIdle?.();
    }
  }

  /** Resolves when none is under way, at the latest after so long. */
  async whenIdle(withinMs: number): Promise<void> {
    if (this.count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
