import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { ApiError } from '../http/api-error';
import { FaultNotice } from './fault-notice';

const fault = new ApiError('failed', '');

/** Says so where a page cannot be drawn; what stands around it stays, and other pages can be opened. */
export function Guarded({ path, children }: { path: string; children: ComponentChildren }) {
  const boundary = useErrorBoundary((cause) => console.error(cause));
  const drawAgain = boundary[1];
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== path) drawAgain();
    shown.current = path;
  });
  return boundary[0] === undefined ? <>{children}</> : <FaultNotice fault={fault} again={drawAgain} />;
}
