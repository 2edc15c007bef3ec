import type { ComponentChildren } from 'preact';
import { messages } from '../language/language';
import { CardHead } from '../ui/card-head';
import { FaultNotice } from '../ui/fault-notice';
import type { Loaded } from '../resource/use-resource';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';

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
    <section class={ui.card} aria-labelledby={`${name}-title`} id={name}>
      <CardHead>
        <h2 id={`${name}-title`}>{title}</h2>
        <button
          type="button"
          class={classes(ui.quietButton, ui.small)}
          aria-label={operators.refreshOf(title)}
          onClick={again}
        >
          {operators.refresh}
        </button>
      </CardHead>
      {fault && <FaultNotice fault={fault} again={again} />}
      {!value && !fault && <p class={ui.quiet}>{articles.loading}</p>}
      {value && children(value)}
    </section>
  );
}
