import type { PageContext } from "../env.ts";
import { respondWithPage } from "../http/respond.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import { planPrice } from "../parts/plan-terms.tsx";
import { ProductGrid } from "../parts/product-grid.tsx";
import { loadCartCount } from "./cart-count.ts";
import { openShop } from "./open-shop.ts";

/** The billing plans of a shop, each with the products that can be subscribed to. */
export async function respondWithPlans(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const [{ data: plans }, cartCount] = await Promise.all([
    shop.api.billingPlans.list(),
    loadCartCount(shop),
  ]);
  const page = (
    <ShopDocument
      shop={shop}
      cartCount={cartCount}
      facts={{
        title: "Subscriptions",
        description: `Subscribe to products of ${shop.business.name}.`,
        canonicalPath: `${shop.path}/plans`,
      }}
    >
      <nav class="trail" aria-label="Where you are">
        <a href={shop.home}>{shop.business.name}</a>
      </nav>
      <h1>Subscriptions</h1>
      {plans.length === 0 ? (
        <div class="empty">
          <p>Nothing can be subscribed to here at the moment.</p>
          <a class="button" href={shop.home}>
            See all products
          </a>
        </div>
      ) : (
        <p class="hint">
          You get it again in each period until you cancel, which you can do at any time in your
          account.
        </p>
      )}
      {plans.map((plan) => (
        <section aria-labelledby={plan.id}>
          <div>
            <h2 id={plan.id}>{plan.name}</h2>
            <p>{planPrice(shop, plan, plan.price)}</p>
          </div>
          <ProductGrid shop={shop} products={plan.products} plan={plan.id} />
        </section>
      ))}
    </ShopDocument>
  );
  return respondWithPage(c, page, { isPublic: !shop.hasSession(), isListed: plans.length > 0 });
}
