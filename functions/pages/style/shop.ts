/** Products, the cart, the checkout and orders. */
export const shopStyle = `
.shop-name { margin-top: var(--space-4); }
main > section { display: grid; gap: var(--space-4); }
.chips { display: flex; flex-wrap: wrap; gap: var(--space-2); }
.chips a { display: inline-flex; align-items: center; min-height: 44px; padding: 0 var(--space-4); border: 1px solid var(--border); border-radius: 999px; background: var(--surface); color: var(--text); text-decoration: none; font-weight: 550; }
.chips a:hover { background: var(--raised); }
.list-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: end; gap: var(--space-3); }
.sort { display: flex; align-items: center; gap: var(--space-2); font-size: 0.95rem; }
.sort label { color: var(--muted); white-space: nowrap; }
.sort select { width: auto; min-height: 44px; }
.sort button { min-height: 44px; padding-inline: var(--space-4); }
.more { text-align: center; }

.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(46%, 13.5rem), 1fr)); gap: clamp(0.9rem, 2.5vw, 1.75rem); }
.card { position: relative; display: grid; gap: var(--space-3); align-content: start; }
.card a { color: var(--text); text-decoration: none; }
.card a::after { content: ""; position: absolute; inset: 0; border-radius: var(--radius); }
.card:hover a { text-decoration: underline; }
.card a:focus-visible { outline: none; }
.card a:focus-visible::after { outline: 3px solid var(--accent-text); outline-offset: 4px; }
.card-text { display: grid; gap: 2px; overflow-wrap: anywhere; }
.image { aspect-ratio: 1; border-radius: var(--radius); overflow: hidden; background: var(--raised); }
.image img { width: 100%; height: 100%; object-fit: cover; }
.image.none { display: grid; place-items: center; color: var(--border-strong); }
.image.none .icon { width: 28%; height: 28%; stroke-width: 1; }
.price { color: var(--muted); }
.price strong { color: var(--text); }
.price.large { font-size: 1.35rem; color: var(--text); }
.price .from { font-size: 0.9em; color: var(--muted); }
.sold-out { font-size: 0.88rem; font-weight: 600; color: var(--muted); }

.product { display: grid; gap: clamp(1.25rem, 4vw, 3.5rem); }
.gallery { display: grid; gap: var(--space-3); align-content: start; }
.gallery .image:not(:first-child) { display: inline-block; }
.buy { display: grid; gap: var(--space-4); align-content: start; min-width: 0; overflow-wrap: anywhere; }
.description { max-width: 60ch; color: var(--muted); white-space: pre-line; }
.add { display: grid; gap: var(--space-5); }
.options { gap: var(--space-2); }
.options legend { font-size: 1rem; }
.add-row { display: flex; align-items: end; gap: var(--space-3); }
.add-row .quantity { width: 6rem; }
.add-row button { flex: 1; }
.contents { display: grid; gap: var(--space-2); border-top: 1px solid var(--border); padding-top: var(--space-4); }
.contents ul { display: grid; gap: var(--space-1); }

.columns { display: grid; gap: var(--space-5); align-items: start; }
.columns > * { min-width: 0; }
.summary, .panel { background: var(--surface); border: 1px solid var(--border); border-radius: var(--radius); padding: clamp(1rem, 3vw, 1.5rem); display: grid; gap: var(--space-4); box-shadow: var(--shadow); overflow-wrap: anywhere; }
.summary form, .panel form { display: grid; gap: var(--space-3); }
.summary legend { font-size: 1rem; }
.summary fieldset { gap: var(--space-2); }
.steps { display: grid; gap: var(--space-5); }
.checkout .steps > fieldset { background: var(--surface); border: 1px solid var(--border); border-radius: var(--radius); padding: clamp(1rem, 3vw, 1.5rem); box-shadow: var(--shadow); }
.mobile-money { display: none; gap: var(--space-4); grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); }
.pay:has(input[value="mobile_money"]:checked) .mobile-money { display: grid; }
.later { display: none; }
.pay-form:has(input[value="cash"]:checked) .now { display: none; }
.pay-form:has(input[value="cash"]:checked) .later { display: inline; }
@supports not selector(:has(a)) { .mobile-money { display: grid; } }
form.inline { display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: center; }
form.inline > .error { flex-basis: 100%; }
form.inline > input:not([type="hidden"]) { flex: 1; }
input.small { max-width: 5rem; min-height: 44px; }
form.inline button { min-height: 44px; padding-inline: var(--space-4); }
form.coupon { display: flex; align-items: center; justify-content: space-between; }
details > summary { cursor: pointer; min-height: 44px; display: flex; align-items: center; font-weight: 560; color: var(--accent-text); }
details > summary::before { content: "+"; width: 1.25rem; font-weight: 400; }
details[open] > summary::before { content: "−"; }
details > form { padding-top: var(--space-2); }

.lines { display: grid; }
.lines li { display: grid; grid-template-columns: 5.5rem 1fr auto; gap: var(--space-4); padding-block: var(--space-4); border-top: 1px solid var(--border); }
.lines li:first-child { border-top: 0; padding-top: 0; }
.lines .image { border-radius: var(--radius-s); }
.lines a { color: var(--text); }
.line-text { display: grid; gap: 2px; min-width: 0; align-content: start; overflow-wrap: anywhere; }
.line-actions { margin-top: var(--space-2); }
.lines .amount { font-weight: 600; }
.totals { display: grid; gap: var(--space-2); }
.totals > div { display: flex; justify-content: space-between; gap: var(--space-4); color: var(--muted); }
.totals dd { font-variant-numeric: tabular-nums; white-space: nowrap; }
.totals .total { color: var(--text); font-weight: 700; font-size: 1.15rem; border-top: 1px solid var(--border); padding-top: var(--space-3); }
.brief { display: grid; gap: var(--space-2); }
.brief li { display: flex; justify-content: space-between; gap: var(--space-4); }
.brief span:first-child { display: grid; min-width: 0; }

.order-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: start; gap: var(--space-3); }
.state { padding: var(--space-1) var(--space-4); border-radius: 999px; font-weight: 620; background: var(--info-soft); }
.state.good { background: var(--success-soft); color: var(--success); }
.state.bad { background: var(--danger-soft); color: var(--danger); }
.state.off { background: var(--raised); color: var(--muted); }
.timeline { display: grid; gap: var(--space-3); }
.timeline li { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1) var(--space-3); }
.timeline .icon { color: var(--success); }
.timeline time { color: var(--muted); font-size: 0.9rem; margin-inline-start: auto; }
.parcels { display: grid; gap: var(--space-3); }
.receipt { max-width: 40rem; }
.receipt header { display: grid; }
.facts { display: grid; grid-template-columns: auto 1fr; gap: var(--space-1) var(--space-5); overflow-wrap: anywhere; }
.facts dt { color: var(--muted); }

@media (min-width: 56rem) {
  .product { grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr); }
  .head { position: sticky; top: 0; z-index: 2; }
  .buy { position: sticky; top: 6rem; align-self: start; }
  .columns { grid-template-columns: minmax(0, 1.55fr) minmax(20rem, 1fr); gap: var(--space-6); }
  .columns > .summary { position: sticky; top: 6rem; max-height: calc(100dvh - 7rem); overflow: auto; }
  .columns > .lines { background: var(--surface); border: 1px solid var(--border); border-radius: var(--radius); padding: var(--space-5); box-shadow: var(--shadow); }
}
@media (max-width: 34rem) {
  .head .search { order: 3; flex-basis: 100%; max-width: none; }
  .head .wrap { column-gap: var(--space-3); }
  .lines li { grid-template-columns: 4.5rem 1fr; }
  .lines .amount { grid-column: 2; }
}
@media (pointer: fine) { :root { --control: 44px; } }
@media (prefers-reduced-motion: no-preference) { button, .button, .choices label { transition: background-color 0.12s, filter 0.12s; } }
@media print {
  .no-print, .head, .foot, .test-mode, .skip { display: none; }
  body { background: none; color: #000; }
  .receipt { max-width: none; padding: 0; }
}
`;
