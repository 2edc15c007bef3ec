/** Whether who looks wants no motion. */
export const calm = window.matchMedia('(prefers-reduced-motion: reduce)');
