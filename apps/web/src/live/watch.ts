import type { Standings } from '../ranks/ranks';
import type { ApiError } from '../http/api-error';

/** A page's connection: the server answers; Redis is away; the server is not reached; not known yet. */
export type Connection = 'waiting' | 'live' | 'away' | 'offline';

/** Another user overtook the signed-in one, on a board in one of its periods. */
export interface Overtaken {
  readonly leaderboard: string;
  readonly partition?: string;
  readonly period: string;
  /** The user's own rank now. */
  readonly rank: number;
  readonly places: number;
  readonly by: { readonly userId: string; readonly user: { readonly name: string } | null } | null;
}

/** Where the signed-in user stands, as a stream tells it. */
export interface OwnPlace {
  readonly leaderboard: string;
  readonly partition?: string;
  readonly period: string;
  readonly total: number;
  readonly entry: {
    readonly userId: string;
    readonly rank: number | null;
    readonly score: number;
    readonly reachedAt: string | null;
  };
}

/** What a page wants to hear of a board. */
export interface BoardListener {
  standings: (page: Standings) => void;
  /** It is heard from again; where nothing changed meanwhile no standings come with it. */
  heard: () => void;
  /** The signed-in user has moved; null while the board is polled: they may have. */
  ownPlace?: (place: OwnPlace | null) => void;
  overtaken?: (by: Overtaken) => void;
  /** Nothing new can be read for now; it is tried on. */
  fault: (error: ApiError) => void;
}

/** Ends the listening. */
export type Stop = () => void;
