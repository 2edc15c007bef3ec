import type { Title } from '../ranks/ranks';
import { messages } from '../language/language';

/** A title, in the reader's language where it is one of the ready ones. */
export function TitleChip({ title }: { title: Title | null | undefined }) {
  if (!title) return null;
  return (
    <span class="title" data-title={title.id}>
      {messages.value.titles[title.id] ?? title.name}
    </span>
  );
}
