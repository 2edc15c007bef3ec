/** A user's picture, or their initial. Pictures come from this app alone, whatever a profile says. */
export function Avatar({ name, url, size = 44 }: { name: string; url: string | null | undefined; size?: number }) {
  const own = url?.startsWith('/') && !url.startsWith('//') ? url : null;
  return (
    <span class="portrait" data-size={size} aria-hidden="true">
      {own ? (
        <img src={own} alt="" width={size} height={size} loading="lazy" decoding="async" />
      ) : (
        <span>{[...name][0]?.toUpperCase() ?? ''}</span>
      )}
    </span>
  );
}
