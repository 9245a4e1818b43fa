import { exports } from "cloudflare:workers";
import { expect } from "vitest";

const origin = "https://duka.test";

/** A form of a page, as a browser without scripts would send it. */
type Form = Readonly<{
  action: string;
  fields: readonly (readonly [name: string, value: string])[];
  /** The buttons by their texts, with what they add to the form, and where they send it. */
  buttons: ReadonlyMap<string, Button>;
}>;

type Button = Readonly<{ mark: readonly [string, string] | null; action: string | null }>;

export type OpenPage = Readonly<{
  path: string;
  status: number;
  html: string;
  headers: Headers;
  forms: readonly Form[];
}>;

type SubmitOptions = Readonly<{
  /** What is typed or chosen; it replaces what the form has for the name. */
  fields?: Readonly<Record<string, string | readonly string[]>>;
  headers?: Readonly<Record<string, string>>;
}>;

type IncomingRequest = Request<unknown, IncomingRequestCfProperties>;
type SendRequest = (request: IncomingRequest) => Promise<Response>;

let browserCount = 0;

/**
 * A browser without scripts: it keeps cookies, follows redirects within the host and sends forms.
 * Each has an address of its own, so that the limits per address count it alone.
 */
export function createBrowser(fetch: SendRequest = (request) => exports.default.fetch(request)) {
  const cookies = new Map<string, string>();
  browserCount += 1;
  const address = `198.51.100.${browserCount}`;

  async function send(
    path: string,
    init: RequestInit<IncomingRequestCfProperties> = {},
  ): Promise<OpenPage> {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const request = new Request<unknown, IncomingRequestCfProperties>(origin + path, {
      ...init,
      headers: {
        "CF-Connecting-IP": address,
        ...(cookie !== "" && { Cookie: cookie }),
        ...Object(init.headers),
      },
      redirect: "manual",
    });
    const response = await fetch(request);
    for (const text of response.headers.getSetCookie()) {
      const [pair = ""] = text.split(";");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      cookies.set(name, value);
    }
    const html = await response.text();
    const location = response.headers.get("location");
    if (response.status === 303 && location !== null) return open(location.replace(origin, ""));
    const { status, headers } = response;
    return { path, status, html, headers, forms: await readForms(html) };
  }

  const open = (path: string): Promise<OpenPage> => send(path);

  return {
    cookies,
    open,
    /** Presses the button with this text. */
    async press(
      page: OpenPage,
      button: string,
      { fields = {}, headers = {} }: SubmitOptions = {},
    ): Promise<OpenPage> {
      const form = page.forms.find(({ buttons }) => [...buttons.keys()].some(isText(button)));
      if (!form) throw new Error(`${page.path} has no button ${button}: ${textOf(page)}`);
      const [, pressed] = [...form.buttons].find(([text]) => isText(button)(text)) ?? [];
      const body = new URLSearchParams();
      for (const [name, value] of form.fields) if (!(name in fields)) body.append(name, value);
      for (const [name, values] of Object.entries(fields))
        for (const value of [values].flat()) body.append(name, value);
      if (pressed?.mark) body.append(...pressed.mark);
      const path = pressed?.action || form.action || page.path;
      const type = "application/x-www-form-urlencoded";
      return send(path, {
        method: "POST",
        body: body.toString(),
        headers: { Origin: origin, "Content-Type": type, ...headers },
      });
    },
  };
}

const isText = (wanted: string) => (text: string) => text.includes(wanted);

/** What a page says, without its markup. */
export const textOf = ({ html }: Pick<OpenPage, "html">): string =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

/** The path to which the page's link leads. */
export function linkOf({ html, path }: OpenPage, name: string): string {
  const links = [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)];
  const link = links.find(([, , text = ""]) => text.includes(name));
  expect(link, `a link ${name} on ${path}`).toBeDefined();
  return (link?.[1] ?? "").replaceAll("&amp;", "&").replace(origin, "");
}

type Draft = {
  action: string;
  fields: [string, string][];
  buttons: Map<string, Button>;
};

async function readForms(html: string): Promise<Form[]> {
  const forms: Draft[] = [];
  let select = "";
  let button: (Button & { text: string }) | null = null;
  const form = () => forms.at(-1);
  const rewriter = new HTMLRewriter()
    .on("form", {
      element: (element) => {
        const action = (element.getAttribute("action") ?? "").replaceAll("&amp;", "&");
        forms.push({ action, fields: [], buttons: new Map() });
      },
    })
    .on("form input", {
      element(element) {
        const type = element.getAttribute("type") ?? "text";
        const isChoice = type === "radio" || type === "checkbox";
        if (isChoice && !element.hasAttribute("checked")) return;
        const value = decode(element.getAttribute("value") ?? "");
        form()?.fields.push([element.getAttribute("name") ?? "", value]);
      },
    })
    .on("form select", {
      element(element) {
        select = element.getAttribute("name") ?? "";
      },
    })
    .on("form option", {
      element(element) {
        if (element.hasAttribute("selected"))
          form()?.fields.push([select, element.getAttribute("value") ?? ""]);
      },
    })
    .on("form button", {
      element(element) {
        const name = element.getAttribute("name");
        const mark: readonly [string, string] | null =
          name === null ? null : [name, element.getAttribute("value") ?? ""];
        const started = { mark, action: element.getAttribute("formaction"), text: "" };
        button = started;
        element.onEndTag(() => {
          form()?.buttons.set(started.text, started);
          button = null;
        });
      },
      text(chunk) {
        if (button) button.text += chunk.text;
      },
    });
  await rewriter.transform(new Response(html)).text();
  return forms;
}

const decode = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
