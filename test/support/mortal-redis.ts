import { Redis } from 'ioredis';

/**
 * A client of a process that crashes at a round trip: of what it sends then, every other command arrives, and no reply.
 * Later commands fail at once until it is back. What it sends in one turn of the event loop is one round trip.
 */
export class MortalRedis extends Redis {
  private isDown = false;
  private tripsLeft = Infinity;
  private isTurn = false;
  private sent = 0;

  crashAfter(trips: number): void {
    this.tripsLeft = trips;
  }

  get hasCrashed(): boolean {
    return this.tripsLeft < 0;
  }

  comeBack(): void {
    this.isDown = false;
    this.tripsLeft = Infinity;
  }

  override sendCommand(...[command, ...rest]: Parameters<Redis['sendCommand']>): unknown {
    if (!this.isDown && !this.isTurn) {
      this.tripsLeft -= 1;
      this.isTurn = true;
      setImmediate(() => {
        this.isTurn = false;
        this.isDown = this.hasCrashed;
      });
    }
    if (!this.hasCrashed) return super.sendCommand(command, ...rest);
    // A pipeline is written as a whole or not at all.
    const arrives = !this.isDown && (rest[0] !== undefined || this.sent++ % 2 === 0);
    if (arrives) super.sendCommand(command, ...rest);
    command.reject(new Error('crashed'));
    return command.promise;
  }
}
