import { type Input, isRecord } from "./route.ts";
import type { Answer } from "./send.ts";
import type { CallOptions, List, Page } from "./types.ts";

/** How an operation's list is read on; `x-pagination` in the documents. */
export type Paging = "cursor" | "headers" | "offset" | "page";

type FetchPage = (input: Input, options?: CallOptions) => Promise<Answer>;

/** A list whose pages are fetched while it is iterated. `cursor` in the input begins it there. */
export function createList(paging: Paging, input: Input, fetchPage: FetchPage): List<unknown> {
  const page = async (from: Input, options?: CallOptions) =>
    toPage(paging, await fetchPage(withPosition(paging, from), options));
  return {
    page: (options) => page(input, options),
    async *[Symbol.asyncIterator]() {
      let from = input;
      for (;;) {
        const { items, nextCursor } = await page(from);
        yield* items;
        if (nextCursor === null) return;
        from = { ...from, cursor: nextCursor };
      }
    },
  };
}

/** The input with its `cursor` under the name that the operation takes. */
function withPosition(paging: Paging, { cursor, ...input }: Input): Input {
  if (cursor === undefined || cursor === null) return input;
  return { ...input, [paging === "headers" ? "cursor" : paging]: cursor };
}

function toPage(paging: Paging, { data, headers, requestId, serverTiming }: Answer): Page<unknown> {
  const record = isRecord(data) ? data : {};
  const items = [data, record.items, record.assets].find(Array.isArray) ?? [];
  const nextCursor =
    paging === "headers"
      ? headers.get("X-Next-Cursor")
      : nextPosition(paging, record.pagination, items.length);
  return { items, nextCursor, hasMore: nextCursor !== null, data, requestId, serverTiming };
}

function nextPosition(paging: Paging, pagination: unknown, count: number): string | null {
  if (!isRecord(pagination)) return null;
  const { next_cursor: cursor, has_more: hasMore } = pagination;
  if (paging === "cursor") return typeof cursor === "string" ? cursor : null;
  const [offset, page, limit, total] = ["offset", "page", "limit", "total"].map((name) =>
    Number(pagination[name]),
  );
  if (paging === "offset") return hasMore === true ? String(Number(offset) + count) : null;
  return Number(page) * Number(limit) < Number(total) ? String(Number(page) + 1) : null;
}
