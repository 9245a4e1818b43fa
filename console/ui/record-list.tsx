import type { Page } from "@duka/sdk/business";
import type { UseQueryResult } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { LoadError, Skeleton } from "./loading.tsx";
import { type Column, Table } from "./table.tsx";

type RecordListProps<T> = Readonly<{
  label: string;
  query: UseQueryResult<Page<T>>;
  columns: readonly Column<T>[];
  keyOf: (record: T) => string;
  selection?: Parameters<typeof Table<T>>[0]["selection"];
  /** Shown instead of a table without rows. */
  empty: ReactNode;
}>;

/** A list of records with its pages. The page that is shown stands in the URL as `cursor`. */
export function RecordList<T>({ query, empty, ...table }: RecordListProps<T>) {
  if (query.isPending) {
    return (
      <div className="card-body">
        <Skeleton lines={8} />
      </div>
    );
  }
  if (query.isError) {
    return (
      <div className="card-body">
        <LoadError error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  }
  const { items, nextCursor } = query.data;
  return (
    <>
      {items.length === 0 ? empty : <Table {...table} rows={items} />}
      <Pager nextCursor={nextCursor} />
    </>
  );
}

/** The buttons to the next page and back. The way back is kept in the browser's history. */
export function Pager({ nextCursor }: Readonly<{ nextCursor: string | null }>) {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const cursor = "cursor" in search ? search.cursor : undefined;
  const earlier = state.earlierCursors ?? [];
  if (nextCursor === null && cursor === undefined) return null;

  const show = (next: string | undefined, earlierCursors: readonly string[]) =>
    navigate({
      to: ".",
      search: (before) => ({ ...before, cursor: next }),
      state: { earlierCursors },
    });

  return (
    <div className="card-body row end no-print">
      {cursor !== undefined && (
        <Button
          icon="left"
          onClick={() => void show(earlier.at(-1) || undefined, earlier.slice(0, -1))}
        >
          {earlier.length > 0 ? "Previous" : "First page"}
        </Button>
      )}
      {nextCursor !== null && (
        <Button onClick={() => void show(nextCursor, [...earlier, cursor ?? ""])}>Next</Button>
      )}
    </div>
  );
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The cursors of the list's pages before this one, the first page as an empty text. */
    earlierCursors?: readonly string[];
  }
}
