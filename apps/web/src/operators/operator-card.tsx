import type { ComponentChildren } from 'preact';
import { messages } from '../language/language';
import { FaultNotice } from '../ui/fault-notice';
import type { Loaded } from '../resource/use-resource';

/** A card of something that operators read, with the way to read it again. */
export function OperatorCard<Value>({
  name,
  title,
  loaded,
  children,
}: {
  name: string;
  title: string;
  loaded: Loaded<Value>;
  children: (value: Value) => ComponentChildren;
}) {
  const { value, fault, again } = loaded;
  const { operators, articles } = messages.value;
  return (
    <section class="card" aria-labelledby={`${name}-title`} id={name}>
      <div class="card-head">
        <h2 id={`${name}-title`}>{title}</h2>
        <button type="button" class="quiet-button small" aria-label={operators.refreshOf(title)} onClick={again}>
          {operators.refresh}
        </button>
      </div>
      {fault && <FaultNotice fault={fault} again={again} />}
      {!value && !fault && <p class="quiet">{articles.loading}</p>}
      {value && children(value)}
    </section>
  );
}

/** A table that scrolls by itself where it is wider than its card. */
export function CardTable({
  name,
  heads,
  children,
}: {
  name: string;
  heads: readonly string[];
  children: ComponentChildren;
}) {
  return (
    <div class="scroller" tabIndex={0} role="group" aria-labelledby={`${name}-title`}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
