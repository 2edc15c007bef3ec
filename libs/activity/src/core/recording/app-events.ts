import { Inject, Injectable, Optional } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { optionFault } from '../errors/option-error';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';

/** The app's emitter, and what events are called on it. */
@Injectable()
export class AppEvents {
  readonly emitter: EventEmitter2;

  /** @throws ActivityError `invalidOption` where the app has no `EventEmitterModule`. */
  constructor(
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Optional() emitter?: EventEmitter2,
  ) {
    if (!emitter) {
      throw optionFault(
        'imports',
        'has no EventEmitterModule',
        "add EventEmitterModule.forRoot() of @nestjs/event-emitter to the imports of your app's module",
      );
    }
    this.emitter = emitter;
  }

  /** An event's name for a module with a name: `blog.activity.praise`; for one without, the event's own. */
  nameOf(event: string): string {
    const { name } = this.settings;
    return name === null ? event : `${name}.${event}`;
  }

  /** Whether anybody listens to an event, by the name that {@link nameOf} gave. */
  isHeard(name: string): boolean {
    return Boolean(this.emitter.hasListeners(name)) || this.emitter.listenersAny().length > 0;
  }
}
