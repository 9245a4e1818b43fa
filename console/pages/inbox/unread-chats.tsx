import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";

const refreshMs = 10_000;
const maxCount = 99;

/** How many chats have unread messages, for the menu. */
export function UnreadChats() {
  const { api } = useShop();
  const { data } = useListPage({
    key: ["conversations", "unread"],
    list: () => api.conversations.list({ unread: true, limit: maxCount }),
    refreshMs,
  });
  if (data === undefined || data.items.length === 0) return null;
  const count = data.hasMore ? `${maxCount}+` : String(data.items.length);
  return (
    <span className="badge info count">
      {count}
      <span className="visually-hidden"> unread</span>
    </span>
  );
}
