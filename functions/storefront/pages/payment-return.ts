import { html } from "hono/html";
import { pageHeaders } from "./page-headers.ts";

/**
 * The page to which a provider leads back a shopper whose shop gave no return address
 * (docs/contract/storefront.md#payment-return). It names no order, because nothing proves whose
 * browser this is.
 */
export const paymentReturnPage = () => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Back to the shop</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Back to the shop</h1>
<p role="status">Return to the shop to see whether your order is paid. You can close this page.</p>
</main>
</body>
</html>`;

const style = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
main{max-width:28rem;margin:10vh auto;padding:0 1rem}`;

export const paymentReturnHeaders = (): Promise<Record<string, string>> => pageHeaders({ style });
