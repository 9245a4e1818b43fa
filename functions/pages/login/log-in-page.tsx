import { logInPath, sectionPath } from "../account/load-account.ts";
import type { PageContext } from "../env.ts";
import { createFormMarks, type FormMarks } from "../http/forms.ts";
import { respondWithPage } from "../http/respond.tsx";
import { emptyForm, Field, type FormState, Notice, PostForm } from "../parts/fields.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import { loadCartCount } from "../shop/cart-count.ts";
import type { VisitedShop } from "../shop/open-shop.ts";

type LogInView = Readonly<{
  shop: VisitedShop;
  /** Where the login leads. */
  next: string;
  /** To which contact a code was sent; left out, the page takes the contact. */
  sentTo?: string;
  /** Whether the login before has just ended. */
  isLoggedOut?: boolean;
  form?: FormState;
  status?: 200 | 400 | 422 | 429 | 503;
}>;

/** The page that takes a contact, and then the code that was sent to it. */
export async function showLogIn(
  c: PageContext,
  { shop, next, sentTo, isLoggedOut = false, form = emptyForm, status = 200 }: LogInView,
): Promise<Response> {
  const [cartCount, marks] = await Promise.all([loadCartCount(shop), createFormMarks(c)]);
  const action = sectionPath(shop, "orders");
  const hidden = { next };
  const page = (
    <ShopDocument shop={shop} cartCount={cartCount} facts={{ title: "Log in" }}>
      <section class="narrow">
        <h1>Log in</h1>
        {isLoggedOut && <Notice kind="good">You are logged out.</Notice>}
        {form.message && <Notice kind="bad">{form.message}</Notice>}
        {sentTo === undefined ? (
          <PostForm action={action} marks={marks}>
            <input type="hidden" name="next" value={next} />
            <p class="hint">
              See your orders, bookings and subscriptions, also those that you made as a guest. You
              need no password: we send you a code.
            </p>
            <Field
              name="contact"
              label="E-mail address or phone number"
              form={form}
              autocomplete="username"
              maxlength={254}
              isRequired
            />
            <button type="submit" name="action" value="send_code">
              Send a code
            </button>
          </PostForm>
        ) : (
          <>
            <CodeForms shop={shop} {...{ action, marks, form, sentTo, hidden, button: "Log in" }} />
            <p>
              <a href={logInPath(shop, next)}>Use another address or number</a>
            </p>
          </>
        )}
      </section>
    </ShopDocument>
  );
  return respondWithPage(c, page, { status });
}

type CodeFormsProps = Readonly<{
  shop: VisitedShop;
  action: string;
  marks: FormMarks;
  form: FormState;
  sentTo: string;
  hidden?: Readonly<Record<string, string>>;
  /** What the button of the right code says. */
  button: string;
}>;

/** The form for the code that was sent to a contact, and the one that sends another. */
export const CodeForms = ({
  shop,
  action,
  marks,
  form,
  sentTo,
  hidden = {},
  button,
}: CodeFormsProps) => {
  const fields = Object.entries({ ...hidden, contact: sentTo }).map(([name, value]) => (
    <input type="hidden" name={name} value={value} />
  ));
  return (
    <>
      {shop.isTest ? (
        <p>
          Enter the code for <strong>{sentTo}</strong>. A test shop sends none: it is 123456.
        </p>
      ) : (
        <p>
          We sent a code to <strong>{sentTo}</strong>. It is valid for 5 minutes.
        </p>
      )}
      <PostForm action={action} marks={marks}>
        {fields}
        <Field
          name="code"
          label="Code"
          form={form}
          autocomplete="one-time-code"
          inputmode="numeric"
          maxlength={10}
          isRequired
        />
        <button type="submit" name="action" value="verify_code">
          {button}
        </button>
      </PostForm>
      <PostForm action={action} marks={marks}>
        {fields}
        <button type="submit" class="text" name="action" value="send_code">
          Send another code
        </button>
      </PostForm>
    </>
  );
};
