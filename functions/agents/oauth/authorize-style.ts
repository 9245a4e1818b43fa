/** The look of the authorize page, as of the hosted pages. Its hash is in the page's policy. */
export const authorizeStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#faf9f6, #161817);
  --surface: light-dark(#ffffff, #1e2120);
  --border: light-dark(#e2e0d9, #363a38);
  --border-strong: light-dark(#8a8880, #7f8581);
  --text: light-dark(#20211f, #eeeeea);
  --muted: light-dark(#5c5e59, #a9aea9);
  --danger: light-dark(#a3261d, #f29a92);
  --danger-soft: light-dark(#fbebe8, #38211f);
  --warning: light-dark(#6f4600, #e8bb72);
  --warning-soft: light-dark(#fbf1dc, #332a18);
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100dvh; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, Roboto, sans-serif; }
header { background: var(--surface); border-bottom: 1px solid var(--border); padding: 0.9rem clamp(1rem, 4vw, 2rem);
  font-size: 1.2rem; font-weight: 700; overflow-wrap: anywhere; }
main { width: min(100%, 32rem); margin-inline: auto; padding: 1.5rem clamp(1rem, 4vw, 2rem) 3.5rem; display: grid; gap: 1rem; }
main > * { min-width: 0; margin: 0; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.4rem, 1.2rem + 1.2vw, 1.9rem); line-height: 1.2; text-wrap: balance; }
p { margin: 0; }
ul { padding-inline-start: 1.25rem; display: grid; gap: 0.4rem; }
form { display: grid; gap: 0.75rem; }
label { font-weight: 560; }
input { width: 100%; min-height: 48px; padding: 0.5rem 0.75rem; border: 1px solid var(--border-strong);
  border-radius: 8px; background: var(--surface); color: inherit; font: inherit; }
input[aria-invalid="true"] { border-color: var(--danger); }
button { min-height: 48px; padding: 0.5rem 1.5rem; border: 1px solid var(--border-strong); border-radius: 8px;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 620; cursor: pointer; }
button:hover { filter: brightness(1.07); }
button.text { background: none; border-color: transparent; color: var(--text); text-decoration: underline;
  text-underline-offset: 0.2em; font-weight: 500; }
a { color: inherit; }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; border-radius: 4px; }
.hint { color: var(--muted); font-size: 0.9rem; }
.problem { background: var(--danger-soft); color: var(--danger); padding: 0.6rem 0.8rem; border-radius: 8px; }
.test { background: var(--warning-soft); color: var(--warning); padding: 0.3rem 0.8rem; border-radius: 8px; font-size: 0.9rem; }
`;
