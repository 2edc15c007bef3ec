/** The mark of the house. */
export function Wreath() {
  return (
    <svg class="wreath" viewBox="0 0 64 64" aria-hidden="true">
      <g fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round">
        <path d="M30 57C16 53 8 42 9 27c.3-5 2-9 5-13" />
        <path d="M34 57c14-4 22-15 21-30-.3-5-2-9-5-13" />
      </g>
      <g fill="currentColor">
        <path d="M14 14c-5 1-8-2-9-6 5-1 9 1 9 6zM10 24c-5 0-8-4-8-8 5 0 8 3 8 8zM10 34c-5-1-7-5-6-9 4 1 7 4 6 9zM14 44c-5-2-6-6-5-10 5 2 7 5 5 10zM21 52c-5-2-6-6-4-10 4 3 6 6 4 10z" />
        <path d="M15 22c4-2 5-6 3-10-4 2-5 6-3 10zM16 33c4-2 6-5 5-9-5 1-7 4-5 9zM20 43c4-1 7-4 6-9-5 1-7 4-6 9zM28 51c4-2 6-5 5-9-5 1-7 5-5 9z" />
        <path d="M50 14c5 1 8-2 9-6-5-1-9 1-9 6zM54 24c5 0 8-4 8-8-5 0-8 3-8 8zM54 34c5-1 7-5 6-9-4 1-7 4-6 9zM50 44c5-2 6-6 5-10-5 2-7 5-5 10zM43 52c5-2 6-6 4-10-4 3-6 6-4 10z" />
        <path d="M49 22c-4-2-5-6-3-10 4 2 5 6 3 10zM48 33c-4-2-6-5-5-9 5 1 7 4 5 9zM44 43c-4-1-7-4-6-9 5 1 7 4 6 9zM36 51c-4-2-6-5-5-9 5 1 7 5 5 9z" />
      </g>
    </svg>
  );
}
