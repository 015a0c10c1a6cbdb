import type { JSX } from "preact";

const width = 240;
const height = 44;
/** The part of the range of values that a line must have, so that noise is not drawn as a cliff. */
const rangeMin = 0.02;

interface ChartProps {
  readonly name: string;
  /** Times in milliseconds and values, oldest first. */
  readonly points: readonly (readonly [timeMs: number, value: number])[];
  readonly text: (value: number) => string;
}

/** A line of values over time from 0 up, with the last and the greatest value in words. */
export function Chart({ name, points, text }: ChartProps): JSX.Element {
  const last = points.at(-1);
  if (last === undefined)
    return (
      <figure class="chart">
        <figcaption>{name}</figcaption>
        <p class="faint">nothing to measure yet</p>
      </figure>
    );
  const top = Math.max(...points.map(([, value]) => value));
  // One point is drawn as a level line.
  const drawn = points.length > 1 ? points : [[last[0] - 1, last[1]] as const, last];
  const [firstMs = 0] = drawn[0] ?? [];
  const line = drawn.map(([timeMs, value]) => {
    const x = ((timeMs - firstMs) / Math.max(1, last[0] - firstMs)) * width;
    const y = height - 1 - (top > rangeMin ? value / top : 0) * (height - 3);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <figure class="chart">
      <figcaption>
        {name} <b>{text(last[1])}</b> <span class="faint">max {text(top)}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={`${name}: ${text(last[1])} now, at most ${text(top)}`}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
      >
        <polyline
          points={line.join(" ")}
          fill="none"
          stroke="currentColor"
          stroke-width="1.5"
          vector-effect="non-scaling-stroke"
        />
      </svg>
    </figure>
  );
}
