import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { Chip } from '../ui/title-chip';
import facts from '../ui/facts.module.css';
import { rewardsQuery } from './people';

/** A user's level, days in a row with points, and badges. */
export function RewardsOf({ userId }: { userId: string }) {
  const { person, badgeNames } = messages.value;
  const { value } = useResource(rewardsQuery(userId));
  if (value?.level == null) return null;
  const { level, streak, badges } = value;
  return (
    <section class={facts.counts} aria-label={person.rewards}>
      <strong>{person.level(level)}</strong>
      {streak !== null && streak > 1 && <span>{person.streak(streak)}</span>}
      {badges.map(({ id, name }) => (
        <Chip key={id} title={id}>
          {badgeNames[id] ?? name}
        </Chip>
      ))}
    </section>
  );
}
