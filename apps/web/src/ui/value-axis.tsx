import type { ScaleLinear } from 'd3-scale';
import { formatNumber } from '../language/format';
import chart from './chart.module.css';

/** An axis' measures of its chart, in pixels. */
export interface ValueAxisProps {
  readonly scale: ScaleLinear<number, number>;
  readonly left: number;
  readonly right: number;
}

/** The whole numbers of a chart's upright axis, each with its line across the chart. */
export function ValueAxis({ scale, left, right }: ValueAxisProps) {
  return scale
    .ticks(4)
    .filter(Number.isInteger)
    .map((tick) => (
      <g key={tick}>
        <line class={chart.line} x1={left} x2={right} y1={scale(tick)} y2={scale(tick)} />
        <text class={chart.label} x={left - 8} y={scale(tick) + 4} text-anchor="end">
          {formatNumber(tick)}
        </text>
      </g>
    ));
}
