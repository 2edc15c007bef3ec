import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Whether the app is about to stop: readiness says so, and each answer asks its client to connect elsewhere. */
@Injectable()
export class Draining {
  private hasBegun = false;

  get isOn(): boolean {
    return this.hasBegun;
  }

  begin(): void {
    this.hasBegun = true;
  }
}

/**
 * While the app drains, each answer closes its connection: also one to a request that came before. A connection that is
 * closed after an answer that says so loses no request; one that is closed while it is idle may.
 */
export function closeWhatIsAnswered(app: NestFastifyApplication): void {
  const draining = app.get(Draining);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (_request, reply, _payload, done) => {
      if (draining.isOn) reply.header('connection', 'close');
      done();
    });
}
