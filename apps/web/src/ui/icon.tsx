import ui from './pieces.module.css';

const paths = {
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.500 16.500L21 21',
  heart:
    'M12 20s-7.500-4.600-9-9.300C2 7.300 4.200 4.500 7.300 4.500c2 0 3.600 1 4.700 2.700 1.100-1.700 2.700-2.700 4.700-2.700 3.100 0 5.300 2.800 4.300 6.200C19.500 15.400 12 20 12 20z',
  bookmark: 'M6 4h12v16l-6-4.500L6 20z',
  comment: 'M4 5h16v11H10l-5 4v-4H4z',
  follow: 'M10 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM3 20c.600-4 3.400-6 7-6 1.500 0 2.800.300 4 1M18 13v6M15 16h6',
  close: 'M6 6l12 12M18 6L6 18',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  out: 'M10 4H5v16h5M9 12h11M16 8l4 4-4 4',
  up: 'M12 19V6M6 11l6-6 6 6',
} as const;

/** A small line drawing that stands beside words; a reader of the page by ear does not hear of it. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class={ui.icon} viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
