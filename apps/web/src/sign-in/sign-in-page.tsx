import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../http/api-error';
import { apiOfNobody, saidAt } from '../http/api';
import { messages } from '../language/language';
import { FaultNotice } from '../ui/fault-notice';
import { useStill } from '../ui/use-still';
import { usePageTitle } from '../ui/use-page-title';
import { signIn } from '../session/session';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';

/** Signs a user in, or registers them. */
export function SignInPage() {
  const { query, route } = useLocation();
  const [isNew, setIsNew] = useState(query.new !== undefined);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<ApiError | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const words = messages.value.signIn;
  const isStill = useStill();
  usePageTitle(isNew ? words.register : words.title);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setIsBusy(true);
    setFault(null);
    try {
      const path = isNew ? '/auth/register' : '/auth/login';
      const { data, response } = await apiOfNobody.POST(path, { body: { name, password } });
      if (data) signIn(data, saidAt(response));
      if (isStill()) route(cameFrom(query.from));
    } catch (error) {
      setFault(asApiError(error));
      setIsBusy(false);
    }
  }

  return (
    <section class={classes(ui.card, ui.narrow)} aria-labelledby="sign-in-title">
      <h1 id="sign-in-title">{isNew ? words.register : words.title}</h1>
      <form class={classes(form.form, form.wide)} onSubmit={(event) => void submit(event)}>
        <label>
          <span>{words.name}</span>
          <input
            name="name"
            autocomplete="username"
            required
            maxLength={40}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <label>
          <span>{words.password}</span>
          <input
            name="password"
            type="password"
            autocomplete={isNew ? 'new-password' : 'current-password'}
            required
            minLength={isNew ? 8 : 1}
            aria-describedby={isNew ? 'password-hint' : undefined}
            value={password}
            onInput={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          {isNew && (
            <small id="password-hint" class={ui.quiet}>
              {words.passwordHint}
            </small>
          )}
        </label>
        {fault && <SignInFault fault={fault} />}
        <button type="submit" class={ui.button} disabled={isBusy}>
          {isNew ? words.registerAction : words.action}
        </button>
      </form>
      <button type="button" class={ui.linkButton} onClick={() => setIsNew(!isNew)}>
        {isNew ? words.switchToSignIn : words.switchToRegister}
      </button>
    </section>
  );
}

function SignInFault({ fault }: { fault: ApiError }) {
  const { wrong, taken } = messages.value.signIn;
  const said = fault.kind === 'signIn' ? wrong : fault.kind === 'conflict' ? taken : null;
  return said === null ? (
    <FaultNotice fault={fault} />
  ) : (
    <p class={ui.notice} role="alert">
      {said}
    </p>
  );
}

/** The page that the user came from: one of ours, whatever the address says. */
function cameFrom(from: string | undefined): string {
  return from !== undefined && /^\/(?![/\\])/.test(from) ? from : '/';
}
