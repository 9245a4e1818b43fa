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
<h1>${title}</h1>
${body}
<p id="error" role="alert"></p>
</main>
<script>${script.text}</script>
</body>
</html>
`,
});

const codeAttributes =
  'inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{4,6}" maxlength="6" title="4 to 6 digits" required';

/** GET /elements/auth: asks for a contact, then for its code. */
export const authPage = createPage(
  "Log in",
  auth,
  `<form id="contact-form" hidden>
<label for="contact">Phone number or e-mail address</label>
<input id="contact" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required>
<button class="primary">Send me a code</button>
</form>
<form id="code-form" hidden>
<p role="status">A code is on its way to <span id="sent-to"></span>.</p>
<label for="code">Code</label>
<input id="code" ${codeAttributes}>
<button class="primary">Log in</button>
<button id="resend" type="button">Send a new code</button>
<button id="other-contact" type="button">Use another contact</button>
</form>
<p id="done" role="status" hidden>You are logged in.</p>`,
);

type TextField = Readonly<{ id: string; label: string; attributes: string }>;

const textField = ({
  id,
  label,
  attributes,
}: TextField): string => `<label for="${id}">${label}</label>
<input id="${id}" ${attributes}>`;

const addressFields = [
  {
    id: "street",
    label: "Street",
    attributes: 'name="street_address" autocomplete="address-line1" maxlength="300" required',
  },
  {
    id: "apartment",
    label: "Apartment (optional)",
    attributes: 'name="apartment" autocomplete="address-line2" maxlength="100"',
  },
  {
    id: "city",
    label: "City (optional)",
    attributes: 'name="city" autocomplete="address-level2" maxlength="100"',
  },
  {
    id: "region",
    label: "Region (optional)",
    attributes: 'name="region" autocomplete="address-level1" maxlength="100"',
  },
  {
    id: "country",
    label: "Country (optional)",
    attributes: 'name="country" autocomplete="country-name" maxlength="100"',
  },
  {
    id: "address-label",
    label: "Name of the address, such as Home (optional)",
    attributes: 'name="label" autocomplete="off" maxlength="100"',
  },
] as const;

/** A list of saved records with the form that adds or edits one (client/saved-list.ts). */
const savedSection = (
  name: string,
  {
    title,
    none,
    add,
    fields,
  }: Readonly<{ title: string; none: string; add: string; fields: string }>,
): string => `<section aria-labelledby="${name}-title">
<h2 id="${name}-title">${title}</h2>
<ul id="${name}" aria-labelledby="${name}-title"></ul>
<p id="${name}-none">${none}</p>
<button id="${name}-add" type="button">${add}</button>
<form id="${name}-form" aria-labelledby="${name}-form-title" hidden>
<h3 id="${name}-form-title"></h3>
${fields}
<div class="actions">
<button class="primary">Save</button>
<button id="${name}-cancel" type="button">Cancel</button>
</div>
</form>
</section>`;

const mobileMoneyFields = `${textField({
  id: "phone-number",
  label: "Phone number",
  attributes: 'name="phone_number" type="tel" autocomplete="tel" maxlength="40" required',
})}
<label for="provider">Network</label>
<select id="provider" name="provider" required>
<option value="mtn">MTN</option>
<option value="vod">Telecel (Vodafone)</option>
<option value="atl">AirtelTigo</option>
<option value="mpesa">M-Pesa</option>
</select>
${textField({
  id: "mobile-money-label",
  label: "Name of the account, such as Mine (optional)",
  attributes: 'name="label" autocomplete="off" maxlength="100"',
})}`;

/** GET /elements/account: shows the customer's saved data and changes them. */
export const accountPage = createPage(
  "Your account",
  account,
  `<div id="account" hidden>
<p id="customer"></p>
<section id="pending" aria-labelledby="pending-title" hidden>
<h2 id="pending-title">Waiting for you</h2>
<p class="note">Shops sent these details for you. They are used only if you save them.</p>
<ul id="pending-details" aria-labelledby="pending-title"></ul>
</section>
${savedSection("addresses", {
  title: "Addresses",
  none: "No address is saved.",
  add: "Add an address",
  fields: addressFields.map(textField).join("\n"),
})}
${savedSection("mobile-money", {
  title: "Mobile money",
  none: "No mobile-money account is saved.",
  add: "Add a mobile-money account",
  fields: mobileMoneyFields,
})}
<section aria-labelledby="contacts-title">
<h2 id="contacts-title">Contacts</h2>
<p class="note">You log in with a code to one of these.</p>
<ul id="contacts" aria-labelledby="contacts-title"></ul>
<button id="contacts-add" type="button">Add a contact</button>
<form id="contacts-form" aria-labelledby="contacts-form-title" hidden>
<h3 id="contacts-form-title">New contact</h3>
${textField({
  id: "new-contact",
  label: "Phone number or e-mail address",
  attributes:
    'name="contact" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="254" required',
})}
<label for="confirming-contact">Confirm with your contact</label>
<select id="confirming-contact" name="contact_id" required></select>
<div class="actions">
<button class="primary">Send codes</button>
<button id="contacts-cancel" type="button">Cancel</button>
</div>
</form>
<form id="contact-codes-form" aria-labelledby="contact-codes-title" hidden>
<h3 id="contact-codes-title">New contact</h3>
<label for="new-contact-code">Code sent to <span id="new-contact-code-for"></span></label>
<input id="new-contact-code" name="otp_code" ${codeAttributes}>
<label for="own-contact-code">Code sent to <span id="own-contact-code-for"></span></label>
<input id="own-contact-code" name="confirming_code" ${codeAttributes}>
<div class="actions">
<button class="primary">Add the contact</button>
<button id="contact-codes-cancel" type="button">Cancel</button>
</div>
</form>
</section>
<section id="connected" aria-labelledby="connected-title" hidden>
<h2 id="connected-title">Connected apps</h2>
<p class="note">You allowed these to act for you in a shop.</p>
<ul id="platforms" aria-labelledby="connected-title"></ul>
</section>
<section id="preferences" aria-labelledby="preferences-title">
<h2 id="preferences-title">Preferences</h2>
<form id="preferences-form" aria-labelledby="preferences-title">
<label for="order-type">How I usually order</label>
<select id="order-type" name="preferred_order_type">
<option value="">No preference</option>
<option value="delivery">Delivery</option>
<option value="pickup">Pickup</option>
<option value="dine-in">Dine in</option>
<option value="walk-in">Walk in</option>
</select>
<label class="check"><input id="notify-on-order" name="notify_on_order" type="checkbox"> Send me messages about my orders</label>
<button>Save preferences</button>
<p id="preferences-saved" role="status" hidden>Your preferences are saved.</p>
</form>
</section>
<button id="log-out" type="button">Log out</button>
</div>
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
