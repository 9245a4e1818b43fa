/** The account of a customer. */
export const accountStyle = `
.narrow { width: min(100%, 30rem); display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); overflow-wrap: anywhere; }
.narrow form { display: grid; gap: var(--space-4); }
.narrow form + form { margin-top: calc(-1 * var(--space-2)); }
input.code { font-size: 1.3rem; letter-spacing: 0.3em; max-width: 12rem; font-variant-numeric: tabular-nums; }

.account-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: var(--space-3) var(--space-5); border-bottom: 1px solid var(--border); }
.account-head form { display: flex; align-items: center; gap: var(--space-2); min-width: 0; }
.account-head form .hint { overflow-wrap: anywhere; }
.tabs { display: flex; flex-wrap: wrap; gap: 0 var(--space-5); }
.tabs a { display: inline-flex; align-items: center; min-height: 44px; color: var(--muted); text-decoration: none; font-weight: 560; border-bottom: 3px solid transparent; margin-bottom: -1px; }
.tabs a:hover { color: var(--text); }
.tabs a[aria-current] { color: var(--text); border-bottom-color: var(--accent-text); }

.chips a[aria-current] { border-color: var(--accent-text); box-shadow: inset 0 0 0 1px var(--accent-text); }

.records { display: grid; gap: var(--space-4); }
.records > li { background: var(--surface); border: 1px solid var(--border); border-radius: var(--radius); padding: clamp(1rem, 3vw, 1.5rem); display: grid; gap: var(--space-3); box-shadow: var(--shadow); overflow-wrap: anywhere; }
.record-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: start; gap: var(--space-2) var(--space-4); }
.record-head > div { display: grid; gap: 2px; min-width: 0; flex: 1 1 10rem; }
.record-head .state { font-size: 0.92rem; }
.record-head h2 a { color: var(--text); }
.records details form { display: grid; gap: var(--space-3); justify-items: start; }
.record-sum { display: flex; justify-content: space-between; gap: var(--space-4); }
.record-actions { display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: start; }

@media (max-width: 34rem) {
  .head nav { gap: 0; }
  .tabs { column-gap: 0.7rem; font-size: 0.92rem; }
  .account-head { padding-bottom: var(--space-1); }
}
`;
