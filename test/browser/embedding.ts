import type { Browser, FrameLocator, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { publishedAt } from "../end-to-end/published-at.ts";

export type Message = Readonly<{ type: string; nonce: string }> & Readonly<Record<string, unknown>>;

export type Embedding = Readonly<{
  page: Page;
  /** What is inside the frame. */
  inside: FrameLocator;
  /** What the page was told so far, height_change apart. */
  told(): Promise<Message[]>;
  heights(): Promise<number[]>;
  /** What the browser wrote into the console. */
  lines(): string[];
  /** The next message that the page is told after those of before, which must be of the type. */
  next(type: string): Promise<Message>;
  /** Sends a message as the page does, with its nonce unless another one is named. */
  send(message: Readonly<Record<string, string>>): Promise<void>;
}>;

/** Whether each answer that pages asked for was as the service publishes it. */
let checks: Promise<void>[] = [];

const watched = new Set<Page>();

/**
 * Waits for what pages asked for so far; what they ask for from then on is looked at no more, since it
 * may be gone with them.
 *
 * @throws where one was otherwise.
 */
export async function demandPublishedAnswers(): Promise<void> {
  while (checks.length > 0) {
    const made = checks;
    checks = [];
    await Promise.all(made);
  }
  watched.clear();
}

async function demandPublished(request: Request): Promise<void> {
  const response = await request.response();
  if (response === null) return; // it was lost on its way
  const { origin, pathname: path } = new URL(response.url());
  const headers = new Headers(await response.allHeaders());
  const isJson = headers.get("Content-Type")?.startsWith("application/json") ?? false;
  const body: unknown = isJson ? await response.json() : null;
  const method = request.method();
  (await publishedAt(origin)).demandAnswer({
    method,
    path,
    status: response.status(),
    headers,
    body,
  });
}

/** A new visitor of the parent's page, which frames the element at `src`. */
export async function embed(
  browser: Browser,
  { parent, src, init = {} }: { parent: string; src: string; init?: Record<string, string> },
): Promise<Embedding> {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(40_000);
  const lines: string[] = [];
  page.on("console", (line) => lines.push(line.text()));
  watched.add(page);
  page.on("request", (request) => {
    if (watched.has(page) && request.url().startsWith(new URL(src).origin))
      checks.push(demandPublished(request));
  });
  await page.goto(parent);
  await page.evaluate(`embed(${JSON.stringify(src)}, ${JSON.stringify(init)})`);

  const all = () => page.evaluate<Message[]>("told");
  const told = async () => (await all()).filter(({ type }) => type !== "height_change");
  let seen = 0;
  return {
    page,
    inside: page.frameLocator("iframe"),
    told,
    lines: () => lines,
    heights: async () =>
      (await all()).flatMap(({ type, height }) =>
        type === "height_change" ? [Number(height)] : [],
      ),
    async next(type) {
      await expect
        .poll(async () => (await told()).length, { timeout: 40_000 })
        .toBeGreaterThan(seen);
      const message = (await told())[seen];
      seen += 1;
      expect(message).toMatchObject({ type, nonce: await page.evaluate("nonce") });
      if (!message) throw new Error("unreachable: the length was polled");
      return message;
    },
    send: async (message) => {
      await page.evaluate(`send(${JSON.stringify(message)})`);
    },
  };
}
