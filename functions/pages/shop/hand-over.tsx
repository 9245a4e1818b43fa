import type { PageContext } from "../env.ts";
import {
  type HandedOverBuyer,
  readOwnSessionToken,
  readSessionText,
  writeBuyer,
  writeOwnSessionToken,
  writeSessionText,
} from "../http/cookies.ts";
import { createFormMarks, type FormMarks, readForm } from "../http/forms.ts";
import { notFoundPage, PageError } from "../http/page-error.ts";
import { redirectTo, respondWithPage } from "../http/respond.tsx";
import { PostForm } from "../parts/fields.tsx";
import { ShopDocument } from "../parts/layout.tsx";
import { openShop, orderPath, type VisitedShop } from "./open-shop.ts";

/** How the storefront answers about a link: functions/storefront/continue-session.ts. */
type HandOverAnswer =
  | Readonly<{
      state: "open";
      session_token: string;
      expires_at: string;
      item_count: number;
      is_current: boolean;
      buyer: HandedOverBuyer;
    }>
  | Readonly<{ state: "completed"; order: Readonly<{ id: string; bill_token: string }> | null }>
  | Readonly<{ state: "canceled" | "expired" | "claimed" }>;

type OpenHandOver = Extract<HandOverAnswer, { state: "open" }>;

/**
 * Leads from an agent's link to the checkout that the agent has prepared. A browser with a cart of
 * its own is asked first, so that the link of another person replaces nothing.
 */
export async function respondWithHandOver(c: PageContext): Promise<Response> {
  const { shop, handOver } = await loadHandOver(c);
  if (handOver.state !== "open") return respondWithEnd(c, shop, handOver);
  const ownUnits = handOver.is_current ? 0 : await countOwnUnits(shop);
  if (ownUnits === 0) return takeSession(c, shop, handOver, { keepsOwn: false });
  const marks = await createFormMarks(c);
  const page = (
    <ShopDocument shop={shop} cartCount={ownUnits} facts={{ title: "Continue your checkout" }}>
      <HandOverChoice
        {...{ shop, handOver, ownUnits, marks }}
        action={new URL(c.req.url).pathname}
      />
    </ShopDocument>
  );
  return respondWithPage(c, page);
}

/** Takes the agent's checkout over, or goes back to the browser's own cart. */
export async function takeHandOver(c: PageContext): Promise<Response> {
  const { shop, handOver } = await loadHandOver(c);
  const form = await readForm(c);
  switch (form.get("action")) {
    case "continue":
      if (handOver.state !== "open") return respondWithEnd(c, shop, handOver);
      return takeSession(c, shop, handOver, { keepsOwn: (await countOwnUnits(shop)) > 0 });
    case "keep":
      return redirectTo(c, `${shop.path}/cart`);
    default:
      throw notFoundPage("This page has no such form.");
  }
}

/** Goes back to the cart that the browser had before it took over an agent's checkout. */
export function restoreOwnCart(c: PageContext, shop: VisitedShop): Response {
  const { id } = shop.business;
  const own = readOwnSessionToken(c, id);
  if (own !== null) {
    writeSessionText(c, id, [own, ...ordersOf(readSessionText(c, id))].join(" "));
    writeOwnSessionToken(c, id, null);
    writeBuyer(c, id, null);
  }
  return redirectTo(c, `${shop.path}/cart`);
}

async function loadHandOver(
  c: PageContext,
): Promise<Readonly<{ shop: VisitedShop; handOver: HandOverAnswer }>> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const token = c.req.param("token") ?? "";
  const [sessionToken] = (readSessionText(c, shop.business.id) ?? "").split(" ");
  const address = c.req.header("cf-connecting-ip");
  const response = await c.env.STOREFRONT.fetch(
    new Request(`${shop.origin}/api/v1/hand-overs`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-Public-Key": shop.publicKey,
        ...(sessionToken && { "X-Session-Token": sessionToken }),
        ...(address !== undefined && { "CF-Connecting-IP": address }),
      },
      body: JSON.stringify({ token }),
    }),
  );
  if (response.status === 200) {
    const { data } = await response.json<{ data: HandOverAnswer }>();
    return { shop, handOver: data };
  }
  await response.body?.cancel();
  if (response.status === 429)
    throw new PageError(429, {
      title: "Too many requests",
      text: "Wait a moment, then load the page again.",
    });
  if (response.status < 500) throw notFoundPage("This link leads to nothing. It may be cut off.");
  throw new PageError(503, {
    title: "The shop does not answer",
    text: "Your checkout is safe. Load the page again in a moment.",
  });
}

/** The units in the cart of the browser's own session. */
async function countOwnUnits(shop: VisitedShop): Promise<number> {
  if (!shop.hasSession()) return 0;
  return Number((await shop.api.cart.countItems()).data);
}

const ordersOf = (text: string | null): string[] => (text ?? "").split(" ").slice(1);

function takeSession(
  c: PageContext,
  shop: VisitedShop,
  { session_token, expires_at, item_count, buyer, is_current }: OpenHandOver,
  { keepsOwn }: Readonly<{ keepsOwn: boolean }>,
): Response {
  const { id } = shop.business;
  const before = readSessionText(c, id);
  if (!is_current) {
    const [own = null] = before?.split(" ") ?? [];
    // After a second link, the cart from before the first one is still the browser's own.
    if (keepsOwn && readOwnSessionToken(c, id) === null) writeOwnSessionToken(c, id, own);
    writeSessionText(c, id, [session_token, ...ordersOf(before)].join(" "));
    writeBuyer(c, id, { details: buyer, expiresAt: Date.parse(expires_at) });
  }
  c.header("Referrer-Policy", "no-referrer");
  c.header("X-Robots-Tag", "noindex, nofollow");
  return redirectTo(c, item_count > 0 ? `${shop.path}/checkout` : `${shop.path}/cart`);
}

type EndedHandOver = Exclude<HandOverAnswer, OpenHandOver>;

const endTexts = {
  canceled: {
    title: "This checkout was canceled",
    text: "Nothing was ordered. You can fill a cart in the shop.",
  },
  expired: {
    title: "This checkout has expired",
    text: "It was kept for a few hours, and nothing was ordered. Ask your assistant to prepare it again, or fill a cart in the shop.",
  },
  claimed: {
    title: "This checkout continues in another browser",
    text: "Somebody has logged in there. Go on in that browser, or fill a cart in the shop.",
  },
  completed: {
    title: "This checkout is complete",
    text: "The order was placed. Its confirmation leads to it.",
  },
} as const;

function respondWithEnd(c: PageContext, shop: VisitedShop, handOver: EndedHandOver): Response {
  if (handOver.state === "completed" && handOver.order !== null) {
    c.header("Referrer-Policy", "no-referrer");
    return redirectTo(c, orderPath(handOver.order.id, handOver.order.bill_token));
  }
  const link = { href: shop.home, name: "Go to the shop" };
  const status = handOver.state === "claimed" ? 409 : 410;
  throw new PageError(status, { ...endTexts[handOver.state], link });
}

type ChoiceProps = Readonly<{
  shop: VisitedShop;
  handOver: OpenHandOver;
  ownUnits: number;
  marks: FormMarks;
  action: string;
}>;

const itemsText = (count: number): string => (count === 1 ? "1 item" : `${count} items`);

const HandOverChoice = ({ shop, handOver, ownUnits, marks, action }: ChoiceProps) => (
  <section class="narrow">
    <h1>Continue your checkout</h1>
    <p>
      An assistant has prepared a checkout with {itemsText(handOver.item_count)} for you at{" "}
      {shop.business.name}. Your own cart here has {itemsText(ownUnits)}. It is kept, and you can
      come back to it.
    </p>
    <PostForm action={action} marks={marks}>
      <button type="submit" class="wide" name="action" value="continue">
        Continue with the prepared checkout
      </button>
      <button type="submit" class="plain wide" name="action" value="keep">
        Stay with my own cart
      </button>
    </PostForm>
  </section>
);
