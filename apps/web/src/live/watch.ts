import type { Standings } from '../board/ranks';
import type { ApiError } from '../http/api-error';

/** How a page stands with the server: it hears from it; Redis is away; the server is not reached. */
export type Connection = 'waiting' | 'live' | 'away' | 'offline';

/** Somebody went past the signed-in user. */
export interface Overtaken {
  readonly rank: number;
  readonly places: number;
  readonly by: { readonly userId: string; readonly user: { readonly name: string } | null } | null;
}

/** What a page wants to hear of a board. */
export interface BoardListener {
  standings: (page: Standings) => void;
  /** It is heard from again; where nothing changed meanwhile no standings come with it. */
  heard: () => void;
  /** The signed-in user's own line changed. */
  ownLineChanged?: () => void;
  overtaken?: (by: Overtaken) => void;
  /** Nothing new can be read for now; it is tried on. */
  fault: (error: ApiError) => void;
}

/** Ends the listening. */
export type Stop = () => void;
