import type { Child } from "hono/jsx";
import type { FormMarks } from "../http/forms.ts";
import { PostForm } from "../parts/fields.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import type { VisitedShop } from "../shop/open-shop.ts";
import {
  isSection,
  type SectionName,
  type ShownCustomer,
  sectionPath,
  sections,
} from "./load-account.ts";

type AccountPageProps = Readonly<{
  shop: VisitedShop;
  customer: ShownCustomer;
  section: SectionName;
  cartCount: number | null;
  marks: FormMarks;
  children?: Child;
}>;

/** A page of the account, with links to the others. */
export const AccountPage = ({
  shop,
  customer,
  section,
  cartCount,
  marks,
  children,
}: AccountPageProps) => (
  <ShopDocument shop={shop} cartCount={cartCount} facts={{ title: sections[section].name }}>
    <h1>Your account</h1>
    <div class="account-head">
      <nav class="tabs" aria-label="Account">
        {Object.keys(sections)
          .filter(isSection)
          .map((name) => (
            <a href={sectionPath(shop, name)} {...(name === section && { "aria-current": "page" })}>
              {sections[name].name}
            </a>
          ))}
      </nav>
      <PostForm action={sectionPath(shop, "orders")} marks={marks}>
        <span class="hint">{customer.name ?? customer.email ?? customer.phone}</span>
        <button type="submit" class="text" name="action" value="log_out">
          Log out
        </button>
      </PostForm>
    </div>
    {children}
  </ShopDocument>
);
