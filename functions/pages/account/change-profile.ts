import { ConflictError, DukaError } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { type FormFields, readForm, submissionKey } from "../http/forms.ts";
import { notFoundPage } from "../http/page-error.ts";
import { redirectTo } from "../http/respond.tsx";
import { sendCode, verifyCode } from "../login/codes.ts";
import { forShoppers } from "../parts/refusal-text.ts";
import { openShop, type VisitedShop } from "../shop/open-shop.ts";
import { loadAccount, logInPath, sectionPath } from "./load-account.ts";
import { profileValues, showProfile } from "./profile-page.tsx";

/** Saves the profile, or confirms a new contact of it with a code. */
export async function changeProfile(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const form = await readForm(c);
  const account = await loadAccount(shop, async () => null);
  if (account === null) return redirectTo(c, logInPath(shop, "profile"));
  switch (form.get("action")) {
    case "save":
      return saveProfile(c, { shop, form, before: profileValues(account.customer) });
    case "send_code":
      return startConfirmation(c, shop, form.get("contact"));
    case "verify_code": {
      const contact = form.get("contact");
      const verified = await verifyCode(shop, { contact, code: form.get("code") });
      if (verified.isDone) return redirectTo(c, `${sectionPath(shop, "profile")}?saved=1`);
      return showProfile(c, shop, { ...verified, sentTo: contact });
    }
    default:
      throw notFoundPage("This page has no such form.");
  }
}

const fields = ["name", "email", "phone"] as const;

const fieldTexts = {
  name: "Enter your name.",
  email: "This is no e-mail address.",
  phone: "This is no phone number. Write it with its country code.",
} as const;

type Change = Readonly<{
  shop: VisitedShop;
  form: FormFields;
  before: Readonly<Record<(typeof fields)[number], string>>;
}>;

/** Saves what was changed, and sends a code to a new contact. */
async function saveProfile(c: PageContext, { shop, form, before }: Change): Promise<Response> {
  const changed = fields.filter((name) => form.get(name) !== before[name]);
  const values = Object.fromEntries(fields.map((name) => [name, form.get(name)]));
  const emptied = changed.filter((name) => form.get(name) === "");
  if (emptied.length > 0) {
    const text = "It can be replaced, but not removed.";
    const errors = Object.fromEntries(emptied.map((name) => [name, text]));
    return showProfile(c, shop, { form: { values, errors }, status: 400 });
  }
  if (changed.length === 0) return redirectTo(c, `${sectionPath(shop, "profile")}?saved=1`);
  const patch = Object.fromEntries(changed.map((name) => [name, form.get(name)]));
  try {
    await shop.api.auth.updateProfile(patch, { idempotencyKey: await submissionKey(form) });
  } catch (error) {
    if (error instanceof ConflictError) {
      const message =
        "Another customer logs in with this e-mail address or phone number. Log in with it, or use another one.";
      return showProfile(c, shop, { form: { values, errors: {}, message }, status: 409 });
    }
    if (!(error instanceof DukaError) || ![400, 422].includes(error.status)) throw error;
    const wrong = fields.find((name) => name === error.field);
    const refused =
      wrong === undefined
        ? { values, errors: {}, message: forShoppers(error) }
        : { values, errors: { [wrong]: fieldTexts[wrong] } };
    return showProfile(c, shop, { form: refused, status: 400 });
  }
  const contact = changed.find((name) => name !== "name");
  if (contact === undefined) return redirectTo(c, `${sectionPath(shop, "profile")}?saved=1`);
  return startConfirmation(c, shop, form.get(contact));
}

/** Sends a code to a new contact, and takes it. */
async function startConfirmation(
  c: PageContext,
  shop: VisitedShop,
  contact: string,
): Promise<Response> {
  const sent = await sendCode(shop, contact);
  if (sent.isDone) return showProfile(c, shop, { sentTo: contact });
  const { form, status, hasCode } = sent;
  if (hasCode) return showProfile(c, shop, { sentTo: contact, form, status });
  // The change is stored all the same; only its confirmation has to wait.
  return showProfile(c, shop, { refusal: form.errors.contact, status });
}
