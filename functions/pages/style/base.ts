/** Elements, the frame of every page, forms and notices. */
export const baseStyle = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 5rem; }
body {
  margin: 0;
  display: flex;
  flex-direction: column;
  min-height: 100dvh;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.55 var(--font);
}
h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset { margin: 0; padding: 0; }
h1 { font-size: clamp(1.6rem, 1.2rem + 1.8vw, 2.2rem); line-height: 1.15; letter-spacing: -0.015em; text-wrap: balance; }
h2 { font-size: 1.2rem; line-height: 1.3; }
h3 { font-size: 1rem; line-height: 1.35; font-weight: 600; }
ul, ol { list-style: none; }
img { display: block; max-width: 100%; height: auto; }
a { color: var(--accent-text); text-underline-offset: 0.2em; }
strong { font-weight: 650; }
small { font-size: 0.875rem; color: var(--muted); }
:focus-visible { outline: 3px solid var(--accent-text); outline-offset: 2px; border-radius: 4px; }
.visually-hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.skip { position: absolute; inset-inline-start: var(--space-4); top: -4rem; padding: var(--space-2) var(--space-4); background: var(--surface); z-index: 3; }
.skip:focus { top: var(--space-2); }
.wrap { width: min(100%, 74rem); margin-inline: auto; padding-inline: clamp(1rem, 4vw, 2rem); }
main { flex: 1; padding-block: var(--space-5) var(--space-7); display: grid; gap: var(--space-5); align-content: start; }
main > * { min-width: 0; }
.icon { width: 1.35rem; height: 1.35rem; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; flex: none; }
.hint, .optional { color: var(--muted); font-size: 0.9rem; font-weight: 400; }
.amount { font-variant-numeric: tabular-nums; white-space: nowrap; }

.test-mode { background: var(--warning-soft); color: var(--warning); text-align: center; font-size: 0.9rem; padding: var(--space-1) var(--space-4); }
.head { background: var(--surface); border-bottom: 1px solid var(--border); }
.head .wrap { display: flex; align-items: center; gap: var(--space-2) var(--space-5); padding-block: var(--space-2); flex-wrap: wrap; }
.brand { font-size: 1.2rem; font-weight: 700; letter-spacing: -0.01em; color: var(--text); text-decoration: none; min-height: var(--control); display: flex; align-items: center; flex: 1 1 0; min-width: 0; overflow-wrap: anywhere; line-height: 1.2; }
.brand img { max-height: 40px; width: auto; max-width: 12rem; object-fit: contain; }
.search { flex: 0 1 26rem; display: flex; position: relative; }
.search input[type="search"] { padding-inline-end: 3rem; padding-inline-start: var(--space-4); border-radius: 999px; border-color: var(--border-strong); background: var(--page); }
.search button { position: absolute; inset-inline-end: 0; width: var(--control); padding: 0; background: none; border: 0; color: var(--muted); }
.head nav { display: flex; gap: var(--space-4); }
.cart-link { display: inline-flex; align-items: center; gap: var(--space-2); min-height: var(--control); padding-inline: var(--space-2); color: var(--text); text-decoration: none; font-weight: 600; }
.cart-link:hover span:first-of-type { text-decoration: underline; }
.count { background: var(--accent); color: var(--on-accent); border-radius: 999px; min-width: 1.6rem; padding: 0 0.45rem; text-align: center; font-size: 0.85rem; line-height: 1.6rem; }
.foot { border-top: 1px solid var(--border); background: var(--surface); padding-block: var(--space-5); color: var(--muted); font-size: 0.92rem; }
.foot .wrap { display: flex; justify-content: space-between; gap: var(--space-5); flex-wrap: wrap; }
.foot strong { color: var(--text); }
.foot nav { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-5); }
.foot nav a { color: inherit; padding-block: var(--space-2); }

button, .button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: var(--control);
  padding: var(--space-2) var(--space-5);
  border: 1px solid transparent;
  border-radius: var(--radius-s);
  background: var(--accent);
  color: var(--on-accent);
  border-color: var(--accent-text);
  font: inherit;
  font-weight: 620;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { filter: brightness(1.07); }
button.plain, .button.plain { background: var(--surface); color: var(--text); border-color: var(--border-strong); }
button.plain:hover, .button.plain:hover { background: var(--raised); filter: none; }
button.text { background: none; border-color: transparent; color: var(--muted); padding-inline: var(--space-2); font-weight: 500; text-decoration: underline; text-underline-offset: 0.2em; }
button.text:hover { color: var(--text); filter: none; }
button.danger { background: var(--surface); color: var(--danger); border-color: currentColor; }
.wide { width: 100%; }

input:not([type="radio"], [type="checkbox"]), select, textarea {
  width: 100%;
  min-width: 0;
  min-height: var(--control);
  padding: var(--space-2) var(--space-3);
  border: 1px solid var(--border-strong);
  border-radius: var(--radius-s);
  background: var(--surface);
  color: inherit;
  font: inherit;
}
input::placeholder { color: var(--muted); opacity: 1; }
[aria-invalid="true"] { border-color: var(--danger) !important; }
input[type="radio"], input[type="checkbox"] { width: 1.2rem; height: 1.2rem; margin: 0; accent-color: var(--accent-text); flex: none; }
fieldset { border: 0; min-width: 0; display: grid; gap: var(--space-4); }
legend { padding: 0; margin: 0; font-weight: 650; font-size: 1.1rem; float: left; width: 100%; }
legend + * { clear: both; }
.field { display: grid; gap: var(--space-1); align-content: start; min-width: 0; }
.field > label { font-weight: 560; }
.error { color: var(--danger); font-size: 0.92rem; font-weight: 560; }
.pair { display: grid; gap: var(--space-4); grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); }

.choices { display: flex; flex-wrap: wrap; gap: var(--space-2); }
.choices.tall { display: grid; }
.choices label {
  display: flex;
  align-items: center;
  gap: var(--space-3);
  min-height: var(--control);
  padding: var(--space-2) var(--space-4);
  border: 1px solid var(--border-strong);
  border-radius: var(--radius-s);
  background: var(--surface);
  cursor: pointer;
}
.choices label:has(:checked) { border-color: var(--accent-text); box-shadow: inset 0 0 0 1px var(--accent-text); }
.choices label:hover { background: var(--raised); }
.choices label > span:not(.amount) { display: grid; min-width: 0; }
.choices label > .amount { margin-inline-start: auto; font-weight: 600; }

.notice { padding: var(--space-3) var(--space-4); border-radius: var(--radius-s); background: var(--info-soft); }
.notice.bad { background: var(--danger-soft); color: var(--danger); }
.notice.good { background: var(--success-soft); color: var(--success); }
.notice a { color: inherit; font-weight: 600; }
.message { max-width: 34rem; margin: var(--space-7) auto; text-align: center; display: grid; gap: var(--space-4); justify-items: center; }
.empty { padding: var(--space-6) 0; display: grid; gap: var(--space-4); justify-items: start; color: var(--muted); }
.trail { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-2); font-size: 0.92rem; }
.trail a { color: var(--muted); padding-block: var(--space-1); }
.trail a + a::before { content: "/"; padding-inline-end: var(--space-2); display: inline-block; color: var(--border-strong); }
`;
