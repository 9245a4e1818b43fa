/** Services: their list, the days and times that are free, and times in the cart. */
export const serviceStyle = `
.services { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: var(--space-4); }
.services .card { gap: var(--space-2); grid-template-rows: auto 1fr auto; align-content: stretch; }
.excerpt { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.service-facts { display: flex; justify-content: space-between; gap: var(--space-3); align-items: baseline; }
.week { display: grid; gap: var(--space-3); scroll-margin-top: 6rem; }
.week-head { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-3); }
.week-head strong { flex: 1; text-align: center; min-width: 10rem; }
.days { display: grid; grid-template-columns: repeat(auto-fill, minmax(4.4rem, 1fr)); gap: var(--space-2); }
.day { display: grid; place-content: center; text-align: center; min-height: 60px; padding: var(--space-2) var(--space-1); border: 1px solid var(--border); border-radius: var(--radius-s); color: var(--muted); line-height: 1.3; }
a.day { border-color: var(--border-strong); background: var(--surface); color: var(--text); text-decoration: none; font-weight: 600; }
a.day:hover { background: var(--raised); }
a.day[aria-current] { border-color: var(--accent-text); box-shadow: inset 0 0 0 2px var(--accent-text); }
.day small { font-weight: 400; font-size: 0.8rem; }
.times { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.75rem, 1fr)); }
.times label { padding-inline: var(--space-3); gap: var(--space-2); }
.line-time { display: grid; gap: 2px; }
.line-time time { font-weight: 600; }
.buy.long { position: static; }
`;
