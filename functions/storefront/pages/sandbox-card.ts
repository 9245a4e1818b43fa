import { html } from "hono/html";
import { formatMoney } from "../../../shared/kernel/index.ts";
import type { SandboxCard } from "../../../shared/payments/index.ts";
import { pageHeaders } from "./page-headers.ts";

type SandboxCardPage = Readonly<{
  path: string;
  businessName: string;
  orderNumber: string;
  card: SandboxCard;
}>;

/**
 * Renders the sandbox's payment page: the amount with two buttons, or the decision that was made
 * (docs/contract/storefront.md#sandbox-cards).
 */
export const sandboxCardPage = (page: SandboxCardPage) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sandbox payment</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Sandbox payment</h1>
<p>This page replaces the card's bank in test mode. No money moves.</p>
<dl>
<dt>To</dt><dd>${page.businessName}</dd>
<dt>Order</dt><dd>${page.orderNumber}</dd>
<dt>Amount</dt><dd>${formatMoney(page.card.amountMinor, page.card.currency)} ${page.card.currency}</dd>
</dl>
${page.card.state === "waiting" ? decisionButtons(page) : decisionNotice(page.card)}
</main>
</body>
</html>`;

const decisionButtons = ({ path }: SandboxCardPage) => html`<form method="post">
<button formaction="${path}/approve">Approve</button>
<button formaction="${path}/decline">Decline</button>
</form>`;

function decisionNotice({ state, returnUrls }: SandboxCard) {
  const returnUrl = returnUrlAfter({ state, returnUrls });
  return html`<p role="status"><strong>The payment was ${state}.</strong></p>
${returnUrl === null ? "" : html`<p><a href="${returnUrl}">Back to the shop</a></p>`}`;
}

/**
 * The shop's URL to which the browser is sent after the decision. Null if the shop gave no such
 * URL.
 */
export const returnUrlAfter = ({ state, returnUrls }: Pick<SandboxCard, "state" | "returnUrls">) =>
  state === "approved" ? returnUrls.success : returnUrls.cancel;

const style = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
main{max-width:28rem;margin:10vh auto;padding:0 1rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}
dd{margin:0}
button{font:inherit;padding:.5rem 1.5rem;margin-right:.5rem}`;

/**
 * The page's security headers. The form may also be sent to the shop's origins, because browsers
 * apply this rule to the redirect that follows.
 */
export const sandboxCardHeaders = ({
  returnUrls,
}: Pick<SandboxCard, "returnUrls">): Promise<Record<string, string>> =>
  pageHeaders({
    style,
    formOrigins: [returnUrls.success, returnUrls.cancel].flatMap((url) =>
      url === null ? [] : new URL(url).origin,
    ),
  });
