import type { OvertakenEvent, RankPage, StandingEvent } from '../contract/api.generated';
import type { ApiError } from '../http/api-error';

/** A page's connection: the server answers; Redis is away; the server is not reached; not known yet. */
export type Connection = 'waiting' | 'live' | 'away' | 'offline';

/** The events of a stream, as the server defines them. */
export type { OvertakenEvent as Overtaken, StandingEvent as OwnPlace } from '../contract/api.generated';

/** The functions that take a board's events. */
export interface BoardListener {
  standings: (page: RankPage) => void;
  /** It is heard from again; where nothing changed meanwhile no standings come with it. */
  heard: () => void;
  /** The signed-in user has moved; null while the board is polled: they may have. */
  ownPlace?: (place: StandingEvent | null) => void;
  overtaken?: (by: OvertakenEvent) => void;
  /** Nothing new can be read for now; it is tried on. */
  fault: (error: ApiError) => void;
}

/** Ends the listening. */
export type Stop = () => void;
