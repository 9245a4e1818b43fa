import type { PageContext } from "../env.ts";
import { createFormMarks, type FormMarks } from "../http/forms.ts";
import { redirectTo, respondWithPage } from "../http/respond.tsx";
import { CodeForms } from "../login/log-in-page.tsx";
import { Field, type FormState, Notice, PostForm } from "../parts/fields.tsx";
import { loadCartCount } from "../shop/cart-count.ts";
import { openShop, type VisitedShop } from "../shop/open-shop.ts";
import { AccountPage } from "./account-page.tsx";
import { loadAccount, logInPath, type ShownCustomer, sectionPath } from "./load-account.ts";

/** What the customer has entered last, also where it waits to be confirmed. */
export const profileValues = (customer: ShownCustomer) => ({
  name: customer.name ?? "",
  email: customer.pending_email ?? customer.email ?? "",
  phone: customer.pending_phone ?? customer.phone ?? "",
});

/** The customer's name and contacts, with a form that changes them. */
export async function respondWithProfile(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const isSaved = c.req.query("saved") !== undefined;
  return showProfile(c, shop, { isSaved });
}

type ProfileView = Readonly<{
  isSaved?: boolean;
  /** To which new contact a code was sent. */
  sentTo?: string;
  form?: FormState;
  /** Why no code was sent. */
  refusal?: string | undefined;
  status?: 200 | 400 | 409 | 422 | 429 | 503;
}>;

export async function showProfile(
  c: PageContext,
  shop: VisitedShop,
  { isSaved = false, sentTo, form, refusal, status = 200 }: ProfileView = {},
): Promise<Response> {
  const account = await loadAccount(shop, async () => null);
  if (account === null) return redirectTo(c, logInPath(shop, "profile"));
  const { customer } = account;
  const [cartCount, marks] = await Promise.all([loadCartCount(shop), createFormMarks(c)]);
  const shown = form ?? { values: profileValues(customer), errors: {}, message: refusal };
  const action = sectionPath(shop, "profile");
  const page = (
    <AccountPage shop={shop} customer={customer} section="profile" {...{ cartCount, marks }}>
      {isSaved && <Notice kind="good">Your changes are saved.</Notice>}
      {shown.message && <Notice kind="bad">{shown.message}</Notice>}
      {sentTo === undefined ? (
        <>
          <PendingContacts {...{ customer, action, marks }} />
          <section class="narrow" aria-labelledby="profile">
            <h2 id="profile">Name and contacts</h2>
            <PostForm action={action} marks={marks}>
              <Field name="name" label="Name" form={shown} autocomplete="name" isOptionalHidden />
              <Field
                name="email"
                label="E-mail address"
                type="email"
                form={shown}
                autocomplete="email"
                maxlength={254}
                isOptionalHidden
              />
              <Field
                name="phone"
                label="Phone number"
                type="tel"
                form={shown}
                autocomplete="tel"
                maxlength={40}
                isOptionalHidden
              />
              <button type="submit" name="action" value="save">
                Save
              </button>
            </PostForm>
          </section>
        </>
      ) : (
        <section class="narrow" aria-labelledby="confirm">
          <h2 id="confirm">Confirm that it is yours</h2>
          <CodeForms {...{ shop, action, marks, form: shown, sentTo, button: "Confirm" }} />
          <p>
            <a href={action}>Do this later</a>
          </p>
        </section>
      )}
    </AccountPage>
  );
  return respondWithPage(c, page, { status });
}

type PendingProps = Readonly<{ customer: ShownCustomer; action: string; marks: FormMarks }>;

/** The new contacts that do not log in yet. */
const PendingContacts = ({ customer, action, marks }: PendingProps) => (
  <>
    {[customer.pending_email, customer.pending_phone]
      .filter((contact) => contact !== null)
      .map((contact) => (
        <Notice kind="info">
          <PostForm action={action} marks={marks} class="inline">
            <input type="hidden" name="contact" value={contact} />
            <span>
              <strong>{contact}</strong> is not confirmed yet. Until then, the one before is used.
            </span>
            <button type="submit" class="plain" name="action" value="send_code">
              Confirm it
            </button>
          </PostForm>
        </Notice>
      ))}
  </>
);
