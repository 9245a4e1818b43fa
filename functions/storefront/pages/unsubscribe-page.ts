import { html, raw } from "hono/html";

/** The style of the pages; its hash is in their Content-Security-Policy. */
export const unsubscribeStyle = `
:root { color-scheme: light dark; }
body { max-width: 34rem; margin: 12vh auto 0; padding: 0 1.25rem; background: #f3f4f6; color: #1f2328;
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 0.75rem; font-size: 1.4rem; }
button { padding: 0.6rem 1.1rem; border: 0; border-radius: 0.5rem; background: #1f2328; color: #fff;
  font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid #0969da; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  body { background: #14171b; color: #e6e9ee; }
  button { background: #e6e9ee; color: #14171b; }
}`;

type UnsubscribePage = Readonly<{ title: string; text: string; button?: string }>;

/** A page with one sentence and at most one button, which posts to the page's own address. */
export const unsubscribePage = ({ title, text, button }: UnsubscribePage) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(unsubscribeStyle)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
${button === undefined ? "" : html`<form method="post"><button>${button}</button></form>`}
</main>
</body>
</html>
`;
