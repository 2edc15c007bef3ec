import { classes } from './classes';
import styles from './avatar.module.css';

/** A user's picture, or their initial. Pictures come from this app alone, whatever a profile says. */
export function Avatar({
  name,
  url,
  size = 44,
  class: className,
}: {
  name: string;
  url: string | null | undefined;
  size?: number;
  class?: string | undefined;
}) {
  const own = url?.startsWith('/') && !url.startsWith('//') ? url : null;
  return (
    <span class={classes(styles.portrait, className)} data-size={size} aria-hidden="true">
      {own ? (
        <img src={own} alt="" width={size} height={size} loading="lazy" decoding="async" />
      ) : (
        <span>{[...name][0]?.toUpperCase() ?? ''}</span>
      )}
    </span>
  );
}
