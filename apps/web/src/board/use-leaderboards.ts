import { hasEnded, useAgain } from '../ui/use-again';
import { useResource } from '../resource/use-resource';
import { type Leaderboard, leaderboardsQuery } from '../ranks/ranks';

/**
 * The leaderboards that there are; null until they came. They are read anew where the current period of the one that is
 * shown is another one than they say, or has ended by the reader's clock.
 * @param shown a leaderboard, and the key of its current period where that is known from elsewhere.
 */
export function useLeaderboards(shown: {
  readonly name: string;
  readonly current: string | undefined;
}): readonly Leaderboard[] | null {
  const { name, current } = shown;
  const { value, again } = useResource(leaderboardsQuery());
  const leaderboards = value?.leaderboards ?? null;
  const known = leaderboards?.find((one) => one.name === name)?.current;
  const isOther = known !== undefined && current !== undefined && known.key !== current;
  useAgain(isOther ? current : hasEnded(known), again);
  return leaderboards;
}
