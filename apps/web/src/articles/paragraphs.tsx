import styles from './paragraphs.module.css';

/** A text in its paragraphs. What users typed is text, never markup. */
export function Paragraphs({ text }: { text: string }) {
  return (
    <>
      {text.split(/\n\s*\n/).map((paragraph, index) => (
        <p key={index} class={styles.paragraph}>
          {paragraph}
        </p>
      ))}
    </>
  );
}
