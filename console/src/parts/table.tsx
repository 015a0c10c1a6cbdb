import type { ComponentChildren, JSX } from "preact";
import type { PagedList } from "../pages/paged.js";
import { FailureNote, Loading } from "./notes.js";
import { Press } from "./press.js";

/** A column of a table. */
export interface Column<T> {
  readonly head: string;
  readonly kind?: "number" | "wide";
  readonly cell: (item: T) => ComponentChildren;
}

interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
}

/** A table with one row for each item. */
export function Table<T>({ label, columns, items, keyOf }: TableProps<T>): JSX.Element {
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ head, kind }) => (
            <th key={head} class={kind} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)}>
            {columns.map(({ head, kind, cell }) => (
              <td key={head} class={kind} data-head={head}>
                {cell(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface PagedTableProps<T> extends Omit<TableProps<T>, "items"> {
  readonly list: PagedList<T>;
  /** What stands in place of a table without rows. */
  readonly empty: ComponentChildren;
}

/** A table that loads further pages on demand. */
export function PagedTable<T>({ list, empty, ...table }: PagedTableProps<T>): JSX.Element {
  const { items, isComplete, isLoading, error, more } = list;
  return (
    <>
      {items.length > 0 && <Table {...table} items={items} />}
      {items.length === 0 && isComplete && empty}
      {error !== undefined && <FailureNote error={error} onRetry={more} />}
      {isLoading && <Loading what={table.label.toLowerCase()} />}
      {!isComplete && !isLoading && error === undefined && (
        <div class="buttons">
          <Press onPress={more}>More</Press>
          <span class="faint">{items.length} loaded</span>
        </div>
      )}
    </>
  );
}
