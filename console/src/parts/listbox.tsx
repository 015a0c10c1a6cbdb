import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** The height of a row, in CSS pixels. The style sheet has the same number. */
export const rowHeight = 28;
/** Rows above and below the visible ones that are drawn too. */
const spare = 8;

interface ListboxProps {
  /** What the list has, for screen readers. */
  readonly label: string;
  readonly count: number;
  /** The current row. -1: none. */
  readonly current: number;
  /** Whether a row is marked for a decision about several. Absent: rows cannot be marked. */
  readonly isMarked?: (index: number) => boolean;
  readonly onChoose: (index: number) => void;
  readonly onSeen?: (first: number, end: number) => void;
  readonly row: (index: number) => JSX.Element;
}

/**
 * A list of rows of one height. Draws only the rows that are visible, and the current one. The
 * list has the focus; `aria-activedescendant` names the current row.
 */
export function Listbox(props: ListboxProps): JSX.Element {
  const { label, count, current, isMarked, onChoose, onSeen, row } = props;
  const list = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      height.value = element.clientHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null || current < 0) return;
    const at = current * rowHeight;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = at + rowHeight - element.clientHeight;
  }, [current]);
  const first = Math.max(0, Math.floor(top.value / rowHeight) - spare);
  const end = Math.min(count, Math.ceil((top.value + height.value) / rowHeight) + spare);
  useEffect(() => onSeen?.(first, end), [first, end, count]);
  const drawn = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  if (current >= 0 && current < count && (current < first || current >= end)) drawn.push(current);
  return (
    <div
      ref={list}
      class="listbox"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={current < 0 || current >= count ? undefined : `row-${current}`}
      onScroll={({ currentTarget }) => {
        top.value = currentTarget.scrollTop;
      }}
    >
      <div class="rows" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        {drawn.map((index) => (
          <div
            key={index}
            id={`row-${index}`}
            class={index === current ? "row current" : "row"}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            aria-checked={isMarked?.(index)}
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ top: `${index * rowHeight}px` }}
            onClick={() => onChoose(index)}
            onKeyDown={({ key }) => {
              if (key === "Enter") onChoose(index);
            }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
