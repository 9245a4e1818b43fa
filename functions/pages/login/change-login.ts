import { loadAccount, pathAfterLogin, sectionPath } from "../account/load-account.ts";
import type { PageContext } from "../env.ts";
import { clearSessionText } from "../http/cookies.ts";
import { type FormFields, readForm } from "../http/forms.ts";
import { notFoundPage } from "../http/page-error.ts";
import { redirectTo } from "../http/respond.tsx";
import { openShop, type VisitedShop } from "../shop/open-shop.ts";
import { sendCode, verifyCode } from "./codes.ts";
import { showLogIn } from "./log-in-page.tsx";

/** Sends a code, logs in with it, or logs out. */
export async function changeLogin(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const form = await readForm(c);
  switch (form.get("action")) {
    case "send_code":
      return respondToContact(c, shop, form);
    case "verify_code":
      return logIn(c, shop, form);
    case "log_out":
      await shop.api.auth.logOut();
      clearSessionText(c, shop.business.id);
      return redirectTo(c, `${sectionPath(shop, "orders")}?logged_out=1`);
    default:
      throw notFoundPage("This page has no such form.");
  }
}

async function respondToContact(
  c: PageContext,
  shop: VisitedShop,
  form: FormFields,
): Promise<Response> {
  const contact = form.get("contact");
  const next = form.get("next") || "orders";
  const sent = await sendCode(shop, contact);
  if (sent.isDone) return showLogIn(c, { shop, next, sentTo: contact });
  const { form: refused, status, hasCode } = sent;
  return showLogIn(c, { shop, next, form: refused, status, ...(hasCode && { sentTo: contact }) });
}

async function logIn(c: PageContext, shop: VisitedShop, form: FormFields): Promise<Response> {
  const contact = form.get("contact");
  const next = form.get("next") || "orders";
  const path = pathAfterLogin(shop, next);
  const verified = await verifyCode(shop, { contact, code: form.get("code") });
  if (verified.isDone) return redirectTo(c, path);
  // A form that was sent twice has used its code, and the browser is logged in.
  if ((await loadAccount(shop, async () => null)) !== null) return redirectTo(c, path);
  return showLogIn(c, {
    shop,
    next,
    sentTo: contact,
    form: verified.form,
    status: verified.status,
  });
}
