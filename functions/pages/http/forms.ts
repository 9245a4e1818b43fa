import type { PageContext } from "../env.ts";
import { readVisit, startVisit } from "./cookies.ts";
import { PageError } from "./page-error.ts";

/** What a form sent. A field that was not sent is an empty text. */
export type FormFields = Readonly<{
  get: (name: string) => string;
  all: (name: string) => readonly string[];
  names: readonly string[];
}>;

/** The hidden fields of every form: that it is from this browser, and which submission it is. */
export type FormMarks = Readonly<{ token: string; key: string }>;

const maxFormBytes = 32 * 1024;
/** As of the API (docs/contract/conventions.md#body-time). */
const maxFormWaitMs = 30_000;
const maxFieldLength = 4_000;
const encoder = new TextEncoder();

/** New marks for the forms of a page. The browser gets the cookie that belongs to them. */
export async function createFormMarks(c: PageContext): Promise<FormMarks> {
  const visit = readVisit(c) ?? startVisit(c);
  return { token: await tokenOf(visit), key: crypto.randomUUID() };
}

/**
 * Reads a submitted form.
 *
 * @throws PageError 403 unless this host's own page sent it from this browser: both the Origin and
 * the token have to be right.
 */
export async function readForm(
  c: PageContext,
  { maxBytes = maxFormBytes }: Readonly<{ maxBytes?: number }> = {},
): Promise<FormFields> {
  if (c.req.header("origin") !== new URL(c.req.url).origin) throw foreignForm();
  const text = await readText(c.req.raw, maxBytes);
  const fields = new URLSearchParams(text);
  const visit = readVisit(c);
  const token = fields.get("form_token") ?? "";
  if (visit === null || !isSame(token, await tokenOf(visit))) throw foreignForm();
  return {
    get: (name) => clean(fields.get(name)),
    all: (name) => fields.getAll(name).map(clean),
    names: [...new Set(fields.keys())],
  };
}

/**
 * The Idempotency-Key of a submission: the same form with the same fields, sent twice, has the same
 * one. After a change of a field, for example with the back button, it is another submission.
 */
export async function submissionKey(form: FormFields, suffix = ""): Promise<string> {
  const names = form.names.filter((name) => name !== "form_token").toSorted();
  const content = names.map((name) => [name, form.all(name)]);
  return (await digestOf(JSON.stringify([content, suffix]))).slice(0, 40);
}

const foreignForm = () =>
  new PageError(403, {
    title: "This form cannot be used",
    text: "It is out of date, or your browser does not keep cookies. Go back, load the page again, and repeat what you did.",
  });

/** The form's text. A larger one than any form of these pages is not read to its end, nor a slow one. */
async function readText({ body }: Request, maxBytes: number): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  let isSlow = false;
  const timer = setTimeout(() => {
    isSlow = true;
    void reader.cancel().catch(() => {});
  }, maxFormWaitMs);
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      text += decoder.decode(next.value, { stream: true });
    }
  } catch (error) {
    throw isSlow ? tooSlow() : error;
  } finally {
    clearTimeout(timer);
  }
  return text;
}

const tooLarge = () =>
  new PageError(413, { title: "The form is too large", text: "Send shorter texts." });

const tooSlow = () =>
  new PageError(408, { title: "The form did not arrive", text: "Go back, and send it again." });

/** Without control characters, which no field of these pages takes, and with sound Unicode. */
const clean = (value: string | null): string =>
  (value ?? "")
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim()
    .slice(0, maxFieldLength);

const tokenOf = async (visit: string): Promise<string> =>
  (await digestOf(`form ${visit}`)).slice(0, 32);

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Compares in a time that does not depend on where the texts differ. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < other.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}
