import { account, auth, style } from "./generated.ts";

type InlineAsset = Readonly<{ text: string; hash: string }>;
type ElementPage = Readonly<{ html: string; script: InlineAsset }>;

const createPage = (title: string, script: InlineAsset, body: string): ElementPage => ({
  script,
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style.text}</style>
</head>
<body>
<main>
${body}
<p id="error" role="alert"></p>
</main>
<script>${script.text}</script>
</body>
</html>
`,
});

/** GET /elements/auth: asks for a contact, then for its code. */
export const authPage = createPage(
  "Log in",
  auth,
  `<form id="contact-form" hidden>
<label for="contact">Phone number or e-mail address</label>
<input id="contact" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required>
<button>Send me a code</button>
</form>
<form id="code-form" hidden>
<p role="status">A code is on its way to <span id="sent-to"></span>.</p>
<label for="code">Code</label>
<input id="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{4,6}" maxlength="6" title="4 to 6 digits" required>
<button>Log in</button>
<button id="other-contact" type="button">Use another contact</button>
</form>
<p id="done" role="status" hidden>You are logged in.</p>`,
);

/** GET /elements/account: shows the customer's saved data. */
export const accountPage = createPage(
  "Your account",
  account,
  `<section id="account" aria-label="Your account" hidden>
<p id="customer"></p>
<h2 id="addresses-title">Addresses</h2>
<ul id="addresses" aria-labelledby="addresses-title"></ul>
<p id="addresses-none">None is saved.</p>
<h2 id="mobile-money-title">Mobile money</h2>
<ul id="mobile-money" aria-labelledby="mobile-money-title"></ul>
<p id="mobile-money-none">None is saved.</p>
<button id="log-out" type="button">Log out</button>
</section>
<p id="logged-out" role="status" hidden>Nobody is logged in.</p>`,
);

/**
 * The page's security headers. The page may run only its own script and style and may call only
 * this service. Only pages of the given origins may embed the page.
 */
export const pageHeaders = ({ script }: ElementPage, frameAncestors: readonly string[]) => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    `script-src '${script.hash}'`,
    `style-src '${style.hash}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `frame-ancestors ${frameAncestors.join(" ")}`,
  ].join("; "),
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
});
