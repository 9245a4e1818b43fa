import type { PageContext } from "../env.ts";
import { respondWithPage } from "../http/respond.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import { Price } from "../parts/product-grid.tsx";
import { loadCartCount } from "../shop/cart-count.ts";
import { openShop, type VisitedShop } from "../shop/open-shop.ts";
import { formatDuration } from "./days.ts";
import type { ShownService } from "./time-choice.ts";

/** The services of a shop, which are bought with a time. */
export async function respondWithServices(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const [{ data: services }, cartCount] = await Promise.all([
    shop.api.services.list(),
    loadCartCount(shop),
  ]);
  const page = (
    <ShopDocument
      shop={shop}
      cartCount={cartCount}
      facts={{
        title: "Services",
        description: `Book a time at ${shop.business.name}.`,
        canonicalPath: `${shop.path}/services`,
      }}
    >
      <nav class="trail" aria-label="Where you are">
        <a href={shop.home}>{shop.business.name}</a>
      </nav>
      <h1>Services</h1>
      {services.length === 0 ? (
        <div class="empty">
          <p>There is nothing to book here at the moment.</p>
          <a class="button" href={shop.home}>
            See the products
          </a>
        </div>
      ) : (
        <ServiceList shop={shop} services={services} heading="h2" />
      )}
    </ShopDocument>
  );
  return respondWithPage(c, page, { isPublic: !shop.hasSession(), isListed: services.length > 0 });
}

type ListProps = Readonly<{
  shop: VisitedShop;
  services: readonly ShownService[];
  heading: "h2" | "h3";
}>;

/** Services as cards, each a single link, with how long they last and what they cost. */
export const ServiceList = ({ shop, services, heading: Heading }: ListProps) => (
  <ul class="services">
    {services.map((service) => {
      const prices = service.variants
        .filter((variant) => variant.is_active)
        .map(({ price_adjustment: adjustment }) => Number(service.price) + Number(adjustment));
      const least = prices.length === 0 ? Number(service.price) : Math.min(...prices);
      return (
        <li class="card panel">
          <Heading>
            <a href={`${shop.path}/services/${encodeURIComponent(service.product_id)}`}>
              {service.name}
            </a>
          </Heading>
          {service.description && <p class="hint excerpt">{service.description}</p>}
          <div class="service-facts">
            <span class="hint">{formatDuration(service.duration_minutes)}</span>
            <Price
              shop={shop}
              price={String(least)}
              former={service.compare_at_price}
              isFrom={prices.some((price) => price !== least)}
            />
          </div>
        </li>
      );
    })}
  </ul>
);
