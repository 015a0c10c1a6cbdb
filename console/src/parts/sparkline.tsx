import type { JSX } from "preact";

const width = 160;
const height = 28;

interface SparklineProps {
  /** What the line shows, for screen readers. */
  readonly label: string;
  /** Values in their order, oldest first. */
  readonly values: readonly number[];
}

/** A small line of values, from 0 to the greatest one. */
export function Sparkline({ label, values }: SparklineProps): JSX.Element {
  const top = Math.max(...values, 0);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map((value, index) => {
    const y = top === 0 ? height - 1 : height - 1 - (value / top) * (height - 2);
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={`${label}, from 0 to ${Math.round(top * 10) / 10}`}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
    >
      <polyline points={points.join(" ")} fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
  );
}
