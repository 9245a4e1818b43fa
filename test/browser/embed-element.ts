import type { Browser, FrameLocator, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { loadDocumentValidator } from "../end-to-end/published-documents.ts";

export type ElementMessage = Readonly<{ type: string; nonce: string }> &
  Readonly<Record<string, unknown>>;

export type Embedding = Readonly<{
  page: Page;
  /** The content of the frame. */
  inside: FrameLocator;
  /** The messages so far, without height_change. */
  messages(): Promise<ElementMessage[]>;
  heights(): Promise<number[]>;
  /** The lines of the browser's console. */
  lines(): string[];
  /** Waits for the next message, which must have the type. */
  next(type: string): Promise<ElementMessage>;
  /** Sends a message with the page's nonce, unless it has another one. */
  send(message: Readonly<Record<string, string>>): Promise<void>;
}>;

/** Checks of the responses against the published OpenAPI documents. */
let checks: Promise<void>[] = [];

const watchedPages = new Set<Page>();

/**
 * Waits for the checks of all responses so far. Later responses are not checked, because closing a
 * page may abort them.
 *
 * @throws when a response differs from its document.
 */
export async function assertPublishedResponses(): Promise<void> {
  while (checks.length > 0) {
    const pending = checks;
    checks = [];
    await Promise.all(pending);
  }
  watchedPages.clear();
}

async function assertPublished(request: Request): Promise<void> {
  const response = await request.response();
  if (response === null) return; // the request was aborted
  const { origin, pathname: path } = new URL(response.url());
  const headers = new Headers(await response.allHeaders());
  const isJson = headers.get("Content-Type")?.startsWith("application/json") ?? false;
  const body: unknown = isJson ? await response.json() : null;
  const method = request.method();
  (await loadDocumentValidator(origin)).assertResponse({
    method,
    path,
    status: response.status(),
    headers,
    body,
  });
}

/** Opens the parent's page in a new browser context and frames the element at `src`. */
export async function embed(
  browser: Browser,
  { parent, src, init = {} }: { parent: string; src: string; init?: Record<string, string> },
): Promise<Embedding> {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(40_000);
  const lines: string[] = [];
  page.on("console", (line) => lines.push(line.text()));
  watchedPages.add(page);
  page.on("request", (request) => {
    if (watchedPages.has(page) && request.url().startsWith(new URL(src).origin))
      checks.push(assertPublished(request));
  });
  await page.goto(parent);
  await page.evaluate(`embed(${JSON.stringify(src)}, ${JSON.stringify(init)})`);

  const loadAll = () => page.evaluate<ElementMessage[]>("messages");
  const loadMessages = async () => (await loadAll()).filter(({ type }) => type !== "height_change");
  let readCount = 0;
  return {
    page,
    inside: page.frameLocator("iframe"),
    messages: loadMessages,
    lines: () => lines,
    heights: async () =>
      (await loadAll()).flatMap(({ type, height }) =>
        type === "height_change" ? [Number(height)] : [],
      ),
    async next(type) {
      await expect
        .poll(async () => (await loadMessages()).length, { timeout: 40_000 })
        .toBeGreaterThan(readCount);
      const message = (await loadMessages())[readCount];
      readCount += 1;
      expect(message).toMatchObject({ type, nonce: await page.evaluate("nonce") });
      if (!message) throw new Error("unreachable: the length was polled");
      return message;
    },
    send: async (message) => {
      await page.evaluate(`send(${JSON.stringify(message)})`);
    },
  };
}
