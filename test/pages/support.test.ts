import { listDurableObjectIds, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";
import { createBrowser, linkOf, textOf } from "./browse.ts";

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`;

let shop: CreatedBusiness;
let home: string;

beforeEach(async () => {
  shop = await createBusiness({ name: "Corner kiosk" });
  home = `/shop/${shop.business.slug}`;
});

type Browser = ReturnType<typeof createBrowser>;

const say = async (browser: Browser, content: string) =>
  browser.press(await browser.open(`${home}/support`), "Send", { fields: { content } });

/** The conversations as agents list them, once each has been copied to the list. */
async function listConversations() {
  for (const id of await listDurableObjectIds(env.SUPPORT_CONVERSATION))
    await runDurableObjectAlarm(env.SUPPORT_CONVERSATION.get(id));
  return dataOf(await merchant(shop)("GET", "/conversations")).items;
}

/** An agent's answer to the only conversation. */
async function answer(content: string, attachments: object[] = []) {
  const [conversation] = await listConversations();
  const body = { content, attachments };
  const sent = await merchant(shop)("POST", `/conversations/${conversation?.id}/messages`, {
    body,
  });
  expect(sent.status).toBe(201);
  return dataOf(sent);
}

it("carries a conversation of a guest, who finds it again in the same browser", async () => {
  const browser = createBrowser();
  const first = await browser.open(linkOf(await browser.open(home), "Ask the shop"));
  expect(textOf(first)).toContain("Write to Corner kiosk.");
  expect(first.headers.get("cache-control")).toBe("private, no-store");
  expect(await listConversations()).toEqual([]);
  const sent = await say(browser, "Do you deliver on Sunday?\nThank you");
  expect(textOf(sent)).toMatch(/You .* Do you deliver on Sunday\?/);
  await answer("Yes, we do.", [{ url: "https://files.example.com/a.pdf", filename: "Times" }]);
  const later = await browser.open(`${home}/support`);
  expect(textOf(later)).toMatch(/You .* Sunday.* Corner kiosk .* Yes, we do\. Times/);
  expect(linkOf(later, "Times")).toBe("https://files.example.com/a.pdf");
  expect(textOf(await browser.open(linkOf(later, "Check for new messages")))).toContain("we do");
  expect(textOf(await createBrowser().open(`${home}/support`))).not.toContain("Sunday");
});

it("sends once what is sent twice, also at once by a new browser, and refuses an empty message", async () => {
  const browser = createBrowser();
  const page = await browser.open(`${home}/support`);
  const fields = { content: "Hello" };
  const send = (options = {}) => browser.press(page, "Send", { fields, ...options });
  expect((await send({ headers: { Origin: "https://evil.example" } })).status).toBe(403);
  expect((await send({ fields: { ...fields, form_token: "" } })).status).toBe(403);
  await Promise.all([send(), send()]);
  const last = await send();
  expect(last.html.match(/<li id="msg_/g)).toHaveLength(1);
  expect(await listConversations()).toHaveLength(1);
  const empty = await say(browser, "  ");
  expect([empty.status, textOf(empty)]).toEqual([400, expect.stringContaining("Write a message.")]);
  const long = await say(browser, "語".repeat(4_000));
  expect(long.html).toContain("語".repeat(4_000));
});

it("escapes what both sides write, in the page and in what its script adds", async () => {
  const browser = createBrowser();
  const sent = await say(browser, hostile);
  const reply = await answer(hostile, [{ url: "https://a.example/b", filename: hostile }]);
  const path = `${home}/support?after=`;
  const news = await browser.open(
    path + encodeURIComponent(sent.html.match(/data-at="(.+?)"/)?.[1] ?? ""),
  );
  for (const { html } of [sent, news, await browser.open(`${home}/support`)]) {
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html.replace(/"[^"]*"/g, '""')).not.toMatch(
      /<script(?! src="" defer)|<img|<[^>]* on\w+=/,
    );
  }
  expect(news.html).not.toContain("<html");
  const none = await browser.open(path + encodeURIComponent(reply.created_at));
  expect([none.status, none.html]).toEqual([204, ""]);
  expect((await createBrowser().open(path)).status).toBe(204);
});

it("runs no script but its own", async () => {
  const page = await createBrowser().open(`${home}/support`);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("script-src https://duka.test/shop/-/;");
  const path = /<script src="([^"]+)" defer/.exec(page.html)?.[1] ?? "";
  const script = await createBrowser().open(path);
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=UTF-8");
  expect(script.headers.get("cache-control")).toContain("immutable");
  expect(script.html.length).toBeLessThan(3_000);
});

it("begins with the order's number for somebody who comes from its page", async () => {
  const product = await createProduct(shop);
  const { id, token, number } = await createOrder(shop, product.id, { payWith: "cash" });
  const browser = createBrowser();
  const order = await browser.open(`/orders/${id}?token=${token}`);
  const page = await browser.open(linkOf(order, "Question about this order?"));
  expect(page.html).toContain(`About order ${number}: </textarea>`);
  const other = await browser.open(`${home}/support?order=${encodeURIComponent(hostile)}`);
  expect(other.html).not.toContain("About order");
});

it("follows the customer through a login, and is closed to the next person after a logout", async () => {
  const browser = createBrowser();
  await say(browser, "Where is my order?");
  const account = `${home}/account`;
  const fields = { contact: "ama@example.com" };
  const coded = await browser.press(await browser.open(account), "Send a code", { fields });
  const page = await browser.press(coded, "Log in", { fields: { code: "123456" } });
  expect(textOf(await browser.open(`${home}/support`))).toContain("Where is my order?");
  await browser.press(page, "Log out");
  expect(textOf(await browser.open(`${home}/support`))).not.toContain("Where is my order?");
});
