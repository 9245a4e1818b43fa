import type { PageMessage } from "../http/page-error.ts";
import type { VisitedShop } from "../shop/open-shop.ts";
import { Document, ShopDocument } from "./layout.tsx";

/** A page with one message, within the shop where that is known. */
export const MessagePage = ({
  shop,
  message: { title, text, link },
}: Readonly<{ shop: VisitedShop | null; message: PageMessage }>) => {
  const target = link ?? (shop && { href: shop.home, name: "Back to the shop" });
  const content = (
    <section class="message">
      <h1>{title}</h1>
      <p>{text}</p>
      {target && (
        <p>
          <a class="button" href={target.href}>
            {target.name}
          </a>
        </p>
      )}
    </section>
  );
  if (shop !== null)
    return (
      <ShopDocument shop={shop} facts={{ title }}>
        {content}
      </ShopDocument>
    );
  return (
    <Document shop={null} facts={{ title }} accent={null}>
      <main id="main" class="wrap">
        {content}
      </main>
    </Document>
  );
};

/** The page for code that is not JSX. */
export const messagePage = (props: Parameters<typeof MessagePage>[0]) => <MessagePage {...props} />;
