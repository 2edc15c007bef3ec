import { useMemo, useState } from 'preact/hooks';
import { ArticleLines } from '../articles/article-list';
import { FollowToggle } from '../follows/follow-toggle';
import { formatDate } from '../language/format';
import { messages } from '../language/language';
import { useVisit } from '../points/use-visit';
import { standingQuery } from '../ranks/ranks';
import { useResource } from '../resource/use-resource';
import { ownId } from '../session/session';
import { Avatar } from '../ui/avatar';
import { FaultNotice } from '../ui/fault-notice';
import { useAgain } from '../ui/use-again';
import { usePageTitle } from '../ui/use-page-title';
import { Breakdown } from './breakdown';
import { DayLedger } from './day-ledger';
import { everyDay } from './days';
import { HeatMap } from './heat-map';
import { PlacesNow } from './places';
import { PointsChart } from './points-chart';
import { pointsByDayQuery, type Profile, profileQuery } from './people';
import { OptOut } from './opt-out';
import { OwnText } from './own-text';
import { RankHistory } from './rank-history';
import { RewardsOf } from './rewards';
import ui from '../ui/pieces.module.css';
import facts from '../ui/facts.module.css';
import styles from './person-page.module.css';

/** A user's profile, places and articles; for the user alone also their ledger. */
export function PersonPage({ id = '' }: { id?: string }) {
  const userId = ownId.value;
  const { value: profile, fault, change, again } = useVisit((isTold) => profileQuery(id, isTold));
  usePageTitle(profile?.name ?? '');
  if (fault && !profile) return <FaultNotice fault={fault} again={again} />;
  if (!profile) return <p class={ui.quiet}>{messages.value.articles.loading}</p>;
  return (
    <div class={styles.person}>
      <PersonHead profile={profile} change={change} />
      {id === userId && (
        <OwnText key={id} text={profile.text} changed={(text) => change((before) => ({ ...before, text }))} />
      )}
      <RewardsOf userId={id} />
      <PlacesNow userId={id} />
      <PersonPoints userId={id} isOwn={id === userId} />
      <RankHistory userId={id} />
      <PersonArticles profile={profile} />
      {id === userId && <OptOut userId={id} />}
    </div>
  );
}

function PersonHead({ profile, change }: { profile: Profile; change: (next: (before: Profile) => Profile) => void }) {
  const { person } = messages.value;
  const { id, name, text, avatarUrl, joinedAt, followers, following, viewer } = profile;
  return (
    <header class={styles.head}>
      <Avatar class={styles.portrait} name={name} url={avatarUrl} size={96} />
      <div>
        <h1>{name}</h1>
        {text !== null && <p class={styles.says}>{text}</p>}
        <p class={facts.counts}>
          <span>{person.joined(formatDate(joinedAt))}</span>
          <span>{person.followers(followers)}</span>
          <span>{person.following(following)}</span>
        </p>
      </div>
      {id !== ownId.value && (
        <FollowToggle
          person={profile}
          isOn={viewer?.follows ?? false}
          changed={(follows) =>
            change((before) => ({
              ...before,
              followers: before.followers + (follows ? 1 : -1),
              viewer: { follows },
            }))
          }
        />
      )}
    </header>
  );
}

function PersonPoints({ userId, isOwn }: { userId: string; isOwn: boolean }) {
  const { value, fault, again } = useResource(pointsByDayQuery(userId));
  const { value: today } = useResource(standingQuery({ leaderboard: 'day', period: 'current' }, userId));
  useAgain(value !== null && today !== null && value.to < today.period.key, again);
  const days = useMemo(() => (value ? everyDay(value, value.periods) : []), [value]);
  const [chosen, setChosen] = useState<string | null>(null);
  if (fault && !value) return <FaultNotice fault={fault} again={again} />;
  if (!value) return <p class={ui.quiet}>{messages.value.articles.loading}</p>;
  return (
    <>
      <PointsChart days={days} />
      <HeatMap days={days} chosen={isOwn ? (chosen ?? value.to) : null} choose={isOwn ? setChosen : null} />
      {isOwn && (
        <div class={styles.pair}>
          <Breakdown userId={userId} today={value.to} />
          <DayLedger userId={userId} date={chosen ?? value.to} latest={value.to} choose={setChosen} />
        </div>
      )}
    </>
  );
}

function PersonArticles({ profile: { articles } }: { profile: Profile }) {
  const { person } = messages.value;
  if (articles.length === 0) return null;
  return (
    <section class={styles.articles} aria-labelledby="articles-title">
      <h2 id="articles-title">{person.articles}</h2>
      <ArticleLines articles={articles} />
    </section>
  );
}
