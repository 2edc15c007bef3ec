import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { pointsQuery } from '../ranks/ranks';
import { type ApiError, asApiError } from '../http/api-error';
import { categories, isCategory } from '../language/categories';
import { messages } from '../language/language';
import { show, showOutcome } from '../points/gains';
import { expectPoints } from '../points/own-points';
import { askAgain } from '../resource/resource';
import { useResource } from '../resource/use-resource';
import { ownId } from '../session/session';
import { FaultNotice } from '../ui/fault-notice';
import { SignInFirst } from '../ui/sign-in-first';
import { useStill } from '../ui/use-still';
import { usePageTitle } from '../ui/use-page-title';
import { articlesQuery, publish, writeDraft } from './articles';
import { DraftList } from './draft-list';
import { useUnfinished } from './unfinished';
import { pathOf } from '../addresses/pages';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';
import reading from './reading.module.css';

/** Writes an article, and shows one's drafts. */
export function WritePage() {
  const { write: words } = messages.value;
  const userId = ownId.value;
  usePageTitle(words.title);
  return (
    <div class={classes(reading.reading, reading.alone)}>
      <h1>{words.title}</h1>
      {userId === null ? <SignInFirst /> : <Desk key={userId} userId={userId} />}
    </div>
  );
}

function Desk({ userId }: { userId: string }) {
  const { write: words, articles: ofArticles, categoryNames, category: ofCategory } = messages.value;
  const { route } = useLocation();
  const isStill = useStill();
  const { writing, draftId, write, heldBy, finish } = useUnfinished(userId);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const drafts = useResource(articlesQuery({ state: 'draft' }));
  const { value: points } = useResource(pointsQuery());
  const worth = points?.actions.find(({ action }) => action === 'publish')?.points;

  async function keep(isPublished: boolean): Promise<void> {
    setIsBusy(true);
    setFault(null);
    try {
      // A failed request may have been done: the same text is no second draft.
      const id = draftId ?? (await writeDraft(writing)).id;
      if (isPublished) {
        heldBy(id);
        const { outcome } = await publish(id);
        finish();
        if (outcome === undefined) show({ text: ofArticles.handedIn, tone: 'none' });
        else {
          showOutcome(outcome);
          expectPoints();
        }
        if (isStill()) route(pathOf('article', id));
        return;
      }
      finish();
      show({ text: words.saved, tone: 'none' });
    } catch (error) {
      setFault(asApiError(error));
    }
    askAgain('/articles');
    setIsBusy(false);
  }

  return (
    <>
      <form
        class={classes(form.form, ui.card)}
        onSubmit={(event) => {
          event.preventDefault();
          void keep(event.submitter?.getAttribute('value') === 'publish');
        }}
      >
        <label>
          <span>{words.heading}</span>
          <input
            name="title"
            required
            maxLength={200}
            readOnly={isBusy}
            value={writing.title}
            onInput={({ currentTarget }) => write({ title: currentTarget.value })}
          />
        </label>
        <label>
          <span>{ofCategory.label}</span>
          <select
            name="category"
            disabled={isBusy}
            value={writing.category}
            onChange={({ currentTarget: { value } }) => isCategory(value) && write({ category: value })}
          >
            {categories.map((category) => (
              <option key={category} value={category}>
                {categoryNames[category]}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{words.body}</span>
          <textarea
            name="body"
            required
            rows={12}
            maxLength={50_000}
            aria-describedby="body-hint"
            readOnly={isBusy}
            value={writing.body}
            onInput={({ currentTarget }) => write({ body: currentTarget.value })}
          />
          <small id="body-hint" class={ui.quiet}>
            {words.hint} {worth !== undefined && words.worth(worth)}
          </small>
        </label>
        {fault && <FaultNotice fault={fault} />}
        <p class={form.buttons}>
          <button type="submit" class={ui.button} value="publish" disabled={isBusy}>
            {words.publish}
          </button>
          <button type="submit" class={ui.quietButton} value="draft" disabled={isBusy}>
            {words.save}
          </button>
        </p>
      </form>
      <DraftList drafts={drafts} />
    </>
  );
}
