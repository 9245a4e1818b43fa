import { DukaError } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { readForm, submissionKey } from "../http/forms.ts";
import { redirectTo } from "../http/respond.tsx";
import { forShoppers } from "../parts/refusal-text.ts";
import { openShop } from "../shop/open-shop.ts";
import { type SupportView, showSupport, supportPath } from "./support-page.tsx";

/** Room for 4,000 characters of any script, percent-encoded. */
const maxFormBytes = 64 * 1024;

/** Sends what was written to the shop. The same form sent twice is one message. */
export async function sendMessage(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const form = await readForm(c, { maxBytes: maxFormBytes });
  const content = form.get("content");
  const values = { content };
  if (content === "") {
    const errors = { content: "Write a message." };
    return showSupport(c, { shop, form: { values, errors }, status: 400 });
  }
  const key = await submissionKey(form);
  try {
    await shop.api.support.sendMessage({ content, client_id: key }, { idempotencyKey: key });
  } catch (error) {
    if (!(error instanceof DukaError)) throw error;
    const status = statusOf(error);
    if (status === null) throw error;
    if (status !== "sent") {
      const message = refusalText(error);
      const shown = { values, errors: {}, message };
      return showSupport(c, { shop, form: shown, key: form.get("form_key"), status });
    }
  }
  return redirectTo(c, `${supportPath(shop)}?at=${Date.now().toString(36)}#write`);
}

/** The status of the page that shows the refusal; null for one that it does not show. */
function statusOf({
  status,
  context,
}: DukaError): NonNullable<SupportView["status"]> | "sent" | null {
  if (status === 409) return context.field === "client_id" ? "sent" : 503;
  if (status === 429) return 429;
  if (status === 400 || status === 422) return 422;
  return status >= 500 || status === 0 ? 503 : null;
}

function refusalText(error: DukaError): string {
  if (error.rule === "CONVERSATION_FULL")
    return "This conversation is full. Please contact the shop in another way.";
  if (error.status === 429) return "Too many messages at once. Wait a moment, then send it again.";
  if (error.status === 400 || error.status === 422) return forShoppers(error);
  return "The message was not sent. Send it again.";
}
