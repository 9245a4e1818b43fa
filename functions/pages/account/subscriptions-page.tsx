import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { createFormMarks } from "../http/forms.ts";
import { redirectTo, respondWithPage } from "../http/respond.tsx";
import { Notice } from "../parts/fields.tsx";
import { loadCartCount } from "../shop/cart-count.ts";
import { openShop, type VisitedShop } from "../shop/open-shop.ts";
import { AccountPage } from "./account-page.tsx";
import { loadAccount, logInPath, sectionPath } from "./load-account.ts";
import { SubscriptionEntry } from "./subscription-entry.tsx";

type Detail = StorefrontSchemas["SubscriptionDetail"];

/** Each is another call, so that a page shows few. */
const pageSize = 5;

type SubscriptionsView = Readonly<{ refusal?: string; status?: 200 | 422 }>;

/** The customer's subscriptions, the newest first. */
export async function respondWithSubscriptions(c: PageContext): Promise<Response> {
  return showSubscriptions(c, await openShop(c, c.req.param("slug") ?? ""));
}

export async function showSubscriptions(
  c: PageContext,
  shop: VisitedShop,
  { refusal, status = 200 }: SubscriptionsView = {},
): Promise<Response> {
  const skipped = Math.max(0, Math.min(100, Math.trunc(Number(c.req.query("skip") ?? "0")) || 0));
  const account = await loadAccount(shop, () => loadSubscriptions(shop, skipped));
  if (account === null) return redirectTo(c, logInPath(shop, "subscriptions"));
  const { shown, hasMore } = account.content;
  const [cartCount, marks] = await Promise.all([loadCartCount(shop), createFormMarks(c)]);
  const path = sectionPath(shop, "subscriptions");
  const page = (
    <AccountPage
      shop={shop}
      customer={account.customer}
      section="subscriptions"
      {...{ cartCount, marks }}
    >
      {refusal && <Notice kind="bad">{refusal}</Notice>}
      {shown.length === 0 ? (
        <div class="empty">
          <p>You have no subscriptions.</p>
          <a href={shop.home}>Go to the shop</a>
        </div>
      ) : (
        <ul class="records">
          {shown.map((detail) => (
            <SubscriptionEntry {...{ shop, detail, marks }} />
          ))}
        </ul>
      )}
      {hasMore && (
        <p class="more">
          <a class="button plain" href={`${path}?skip=${skipped + pageSize}`} rel="next">
            Show more
          </a>
        </p>
      )}
    </AccountPage>
  );
  return respondWithPage(c, page, { status });
}

/** A page of the subscriptions, with the products and invoices of each. */
async function loadSubscriptions(
  { api }: VisitedShop,
  skipped: number,
): Promise<Readonly<{ shown: readonly Detail[]; hasMore: boolean }>> {
  const { data: all } = await api.subscriptions.list();
  const ids = all.slice(skipped, skipped + pageSize).map(({ id }) => id);
  const details = await Promise.all(ids.map((id) => api.subscriptions.get(id)));
  return { shown: details.map(({ data }) => data), hasMore: all.length > skipped + pageSize };
}
