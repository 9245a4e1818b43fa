import type { Business } from "../../../shared/businesses/index.ts";
import { openDb, shardsOf, shopOf } from "../../../shared/database/index.ts";
import { notFound } from "../../../shared/kernel/index.ts";
import { insertOptOut, type MessageKey, markAddress } from "../../../shared/messages/index.ts";
import { parseResendWebhook } from "../../../shared/messaging/index.ts";
import { createRoutes } from "../../http/app.ts";
import { findBusiness } from "../../http/authentication/access.ts";
import { receiveBody } from "../../http/bodies.ts";
import type { RequestContext } from "../../http/context.ts";
import { envelope } from "../../http/contract.ts";
import { unauthorized } from "../../http/errors.ts";
import { runtime } from "../../runtime/runtime.ts";
import { parseUnsubscribeToken } from "../../runtime/unsubscribe-links.ts";
import type { StorefrontBindings } from "../env.ts";
import { pageHeaders } from "../pages/page-headers.ts";
import { unsubscribePage, unsubscribeStyle } from "../pages/unsubscribe-page.ts";

/**
 * What readers and e-mail providers report about messages (docs/contract/messages.md#addresses). The
 * reports are signed, and repeating one changes nothing.
 */
export const messageReports = createRoutes<StorefrontBindings>();

const path = "/unsubscribe/:token";
const receiveReport = receiveBody({
  maxBytes: 64 * 1024,
  message: "The body is larger than 64 KiB.",
});

messageReports.get(path, (c) =>
  withMessage(c, ({ name }) =>
    respond(200, {
      title: `Unsubscribe from ${name}?`,
      text: `You get no more reminders and notices from ${name} by e-mail. Messages about what you order and book still come.`,
      button: "Unsubscribe",
    }),
  ),
);

/** The form of the page, and the one click of a mail program (RFC 8058), which sends no origin. */
messageReports.post(path, receiveReport, (c) =>
  withMessage(c, async (business, key) => {
    const db = openShop(c, business);
    await db.batch([insertOptOut(db, key, runtime.now())]);
    return respond(200, {
      title: "You are unsubscribed",
      text: `You get no more reminders and notices from ${business.name} by e-mail.`,
    });
  }),
);

messageReports.post("/resend", receiveReport, async (c) => {
  const secret = c.get("settings").resendWebhookSecret;
  if (secret === undefined) throw notFound("webhook");
  const report = parseResendWebhook(await c.req.text(), c.req.raw.headers, secret);
  if (report === "forged") throw unauthorized("The signature is missing or wrong.");
  const business = report && (await findBusiness(c, report.businessId));
  if (report && business) {
    const db = openShop(c, business);
    await db.batch(markAddress(db, report, { reason: report.reason, now: runtime.now() }));
  }
  return c.json(envelope(null), 200);
});

type ReportRequest = RequestContext<StorefrontBindings>;

const openShop = (c: ReportRequest, business: Business) =>
  openDb(shopOf(shardsOf(c.env, c.get("settings").shopShards), business), c.get("meter"));

/** Answers a wrong or old link with a page that says so. */
async function withMessage(
  c: ReportRequest,
  answer: (business: Business, key: MessageKey) => Promise<Response>,
): Promise<Response> {
  const key = await parseUnsubscribeToken(c.get("settings"), c.req.param("token") ?? "");
  const business = key && (await findBusiness(c, key.businessId));
  if (key && business) return answer(business, key);
  return respond(404, {
    title: "This link does not work",
    text: "Use the link of a later message.",
  });
}

async function respond(
  status: 200 | 404,
  page: Parameters<typeof unsubscribePage>[0],
): Promise<Response> {
  const headers = await pageHeaders({ style: unsubscribeStyle });
  const body = String(await unsubscribePage(page));
  return new Response(body, {
    status,
    headers: { ...headers, "Content-Type": "text/html; charset=utf-8" },
  });
}
