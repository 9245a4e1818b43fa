import type { PageContext } from "../env.ts";
import { createFormMarks, type FormMarks } from "../http/forms.ts";
import { respondWithFragment, respondWithPage } from "../http/respond.tsx";
import { emptyForm, FieldNotes, type FormState, Notice, PostForm } from "../parts/fields.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import { loadCartCount } from "../shop/cart-count.ts";
import { openShop, type VisitedShop } from "../shop/open-shop.ts";
import { chatScriptPath } from "../theme/style-routes.ts";
import { type ChatMessage, Messages } from "./messages.tsx";

/** The most messages of one answer of the API. */
const pageSize = 100;

/**
 * The conversation with the shop. With `after` it answers with the messages after that time alone,
 * for the page's script; 204 says that there are none.
 */
export async function respondWithSupport(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const after = c.req.query("after");
  if (after === undefined) return showSupport(c, { shop, form: firstForm(c) });
  const messages = shop.hasSession() ? await listMessages(shop, after) : [];
  if (messages.length === 0) return c.body(null, 204, { "Cache-Control": "no-store" });
  return respondWithFragment(c, <Messages shop={shop} messages={messages} />);
}

/** The form, with the order's number for somebody who comes from an order's page. */
function firstForm(c: PageContext): FormState {
  const order = c.req.query("order") ?? "";
  return /^[\w-]{1,40}$/.test(order)
    ? { ...emptyForm, values: { content: `About order ${order}: ` } }
    : emptyForm;
}

const listMessages = async (shop: VisitedShop, after: string): Promise<readonly ChatMessage[]> =>
  (await shop.api.support.listMessages({ ...(after && { after }), limit: pageSize })).data;

/** The latest messages. A browser without a session gets one, so that a message sent twice is one. */
async function loadMessages(shop: VisitedShop): Promise<readonly ChatMessage[]> {
  if (!shop.hasSession()) {
    await shop.api.auth.getStatus();
    return [];
  }
  const messages = await listMessages(shop, "");
  return messages.length < pageSize ? messages : (await shop.api.support.open()).data.messages;
}

export type SupportView = Readonly<{
  shop: VisitedShop;
  form: FormState;
  /** The key of a message that is to be sent again; a new one otherwise. */
  key?: string | undefined;
  status?: 200 | 400 | 422 | 429 | 503;
}>;

export async function showSupport(
  c: PageContext,
  { shop, form, key, status = 200 }: SupportView,
): Promise<Response> {
  const messages = await loadMessages(shop);
  const [cartCount, fresh] = await Promise.all([loadCartCount(shop), createFormMarks(c)]);
  const marks = key === undefined ? fresh : { ...fresh, key };
  const { name } = shop.business;
  const hasErrors = form.message !== undefined || Object.keys(form.errors).length > 0;
  const title = `Ask ${name}`;
  const page = (
    <ShopDocument
      shop={shop}
      cartCount={cartCount}
      facts={{ title: hasErrors ? `Error: ${title}` : title, scriptPath: chatScriptPath }}
    >
      <section class="chat">
        <h1>{title}</h1>
        <p class="hint">
          {messages.length === 0
            ? `Write to ${name}. The answer appears here: come back in this browser to read it.`
            : "Come back in this browser, and the conversation is still here."}
        </p>
        <div role="log" aria-label="Messages">
          <ol id="messages" data-path={supportPath(shop)}>
            <Messages shop={shop} messages={messages} />
          </ol>
        </div>
        {form.message && <Notice kind="bad">{form.message}</Notice>}
        <MessageForm shop={shop} form={form} marks={marks} />
        <p>
          <a href={`${supportPath(shop)}?at=${Date.now().toString(36)}#write`}>
            Check for new messages
          </a>
        </p>
      </section>
    </ShopDocument>
  );
  return respondWithPage(c, page, { status, hasScript: true });
}

export const supportPath = ({ path }: Pick<VisitedShop, "path">): string => `${path}/support`;

type FormProps = Readonly<{ shop: VisitedShop; form: FormState; marks: FormMarks }>;

const MessageForm = ({ shop, form, marks }: FormProps) => {
  const error = form.errors.content;
  return (
    <PostForm action={supportPath(shop)} marks={marks} id="write">
      <div class="field">
        <label for="content">Your message</label>
        <textarea
          id="content"
          name="content"
          rows={4}
          maxlength={4_000}
          required
          {...(error && {
            "aria-describedby": "content-error",
            "aria-invalid": "true" as const,
            autofocus: true,
          })}
        >
          {form.values.content ?? ""}
        </textarea>
        <FieldNotes name="content" form={form} />
      </div>
      <button type="submit">Send</button>
    </PostForm>
  );
};
