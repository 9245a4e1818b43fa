import { Outlet, useParams, useSearch } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Filters, optionsOf, SelectFilter } from "../../ui/filters.tsx";
import { keyIn } from "../../ui/list-search.ts";
import { LoadError, Skeleton } from "../../ui/loading.tsx";
import { PageHead } from "../../ui/page.tsx";
import { Pager } from "../../ui/record-list.tsx";
import { ThreadList } from "./thread-list.tsx";
import "./inbox.css";

const refreshMs = 10_000;

const shown = {
  unread: { name: "Unread", filter: { unread: true } },
  open: { name: "Open", filter: { status: "open" } },
  closed: { name: "Closed", filter: { status: "closed" } },
} as const;

/** The chats with shoppers: the list, and the one that is open. */
export function InboxPage() {
  const { api } = useShop();
  const search = useSearch({ from: "/$businessId/inbox" });
  const { threadId } = useParams({ strict: false });
  const show = keyIn(shown, search.show);
  const query = useListPage({
    key: ["conversations", search],
    list: () =>
      api.conversations.list({
        ...(show && shown[show].filter),
        cursor: search.cursor,
        limit: 30,
      }),
    refreshMs,
  });
  return (
    <>
      <PageHead title="Inbox" />
      <div className={threadId ? "card inbox has-thread" : "card inbox"}>
        <section className="threads" aria-label="Chats">
          <Filters>
            <SelectFilter
              name="show"
              label="Chats"
              value={search.show}
              options={optionsOf(shown)}
            />
          </Filters>
          {query.isPending && (
            <div className="card-body">
              <Skeleton lines={6} />
            </div>
          )}
          {query.isError && (
            <div className="card-body">
              <LoadError error={query.error} onRetry={() => void query.refetch()} />
            </div>
          )}
          {query.data && (
            <>
              <ThreadList threads={query.data.items} openId={threadId} />
              <Pager nextCursor={query.data.nextCursor} />
            </>
          )}
        </section>
        <div className="thread-frame">
          <Outlet />
        </div>
      </div>
    </>
  );
}
