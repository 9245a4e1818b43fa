import { html, raw } from "hono/html";
import type { Business } from "../../../shared/businesses/index.ts";
import type { PlatformScope } from "../../../shared/link/index.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { authorizeStyle } from "./authorize-style.ts";

/** What the page shows, and what is wrong with what was typed. */
export type AuthorizeView = Readonly<{
  business: Business;
  shopUrl: string;
  request: AuthorizationRequest;
  /** To which contact a code was sent; null while the page takes the contact. */
  sentTo: string | null;
  contact: string;
  problem: string | null;
}>;

const scopeTexts: Readonly<Record<PlatformScope, string>> = {
  "dev.ucp.shopping.order:read": "See the orders that you place here.",
  "dev.ucp.shopping.checkout:manage":
    "Fill in your name, contact details and default address at the checkout, and place orders for you.",
};

type Html = ReturnType<typeof html>;

const accentOf = ({ settings }: Business): string =>
  /^#[0-9a-f]{6}$/.test(settings.appearance.accentColor ?? "")
    ? (settings.appearance.accentColor ?? "")
    : "#12664f";

/** The style with the business's accent, on which black or white is readable. */
export function styleFor(business: Business): string {
  const accent = accentOf(business);
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(accent.slice(at, at + 2), 16),
  );
  const onAccent = red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? "#000000" : "#ffffff";
  return `:root{--accent:${accent};--on-accent:${onAccent}}${authorizeStyle}`;
}

const documentOf = (
  business: Business,
  title: string,
  body: Html | Promise<Html>,
) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${business.name}</title>
<style>${raw(styleFor(business))}</style>
</head>
<body>
<header>${business.name}</header>
<main>
${business.mode === "test" ? html`<p class="test">Test shop: orders are not real, and no money moves.</p>` : ""}
${body}
</main>
</body>
</html>
`;

/** The page on which a buyer allows a platform to act for them, and proves who they are. */
export function authorizePage(view: AuthorizeView) {
  const { business, request, sentTo } = view;
  const { client, redirectUri, scopes } = request;
  const host = new URL(client.id).host;
  const target = URL.parse(redirectUri)?.host;
  return documentOf(
    business,
    `Connect ${client.name}`,
    html`<h1>Connect ${client.name} to ${business.name}</h1>
<p><strong>${client.name}</strong> (${host}) would be able to:</p>
<ul>
${scopes.map((scope) => html`<li>${scopeTexts[scope]}</li>`)}
</ul>
<p class="hint">It never sees your payment details. You can end the connection in your Link account.</p>
${view.problem === null ? "" : html`<p class="problem" role="alert">${view.problem}</p>`}
${sentTo === null ? contactForm(view) : codeForm(view, sentTo)}
<form method="post"><button class="text" name="action" value="cancel">Cancel</button></form>
${target && target !== host ? html`<p class="hint">You then continue at ${target}.</p>` : ""}`,
  );
}

const contactForm = ({ contact, problem }: AuthorizeView) => html`<form method="post">
<label for="contact">Your e-mail address or phone number</label>
<input id="contact" name="contact" value="${contact}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required${problem === null ? "" : raw(' aria-invalid="true" autofocus')}>
<p class="hint">You need no password: we send you a code.</p>
<button name="action" value="send_code">Send a code</button>
</form>`;

const codeForm = ({ business, problem }: AuthorizeView, sentTo: string) => html`<form method="post">
<input type="hidden" name="contact" value="${sentTo}">
<p>${
  business.mode === "test"
    ? html`Enter the code for <strong>${sentTo}</strong>. A test shop sends none: it is 123456.`
    : html`We sent a code to <strong>${sentTo}</strong>. It is valid for 5 minutes.`
}</p>
<label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="10" required${problem === null ? "" : raw(' aria-invalid="true" autofocus')}>
<button name="action" value="allow">Allow</button>
<button class="text" name="action" value="send_code" formnovalidate>Send another code</button>
<button class="text" name="action" value="change_contact" formnovalidate>Use another address or number</button>
</form>`;

/** A page that says why nothing can be connected, and leads to the shop. */
export const authorizeProblemPage = (business: Business, shopUrl: string, problem: string) =>
  documentOf(
    business,
    "Not connected",
    html`<h1>This link does not work</h1>
<p>The app that led you here made a mistake. Nothing was connected.</p>
<p class="hint">${problem}</p>
<p><a href="${shopUrl}">Go to the shop</a></p>`,
  );
