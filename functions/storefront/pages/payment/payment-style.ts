/** The style of the payment page, in light and dark. It needs no script: `:has` shows the fields. */
export const paymentStyle = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif;
--page:#f4f5f7;--card:#fff;--text:#1a1d21;--muted:#565d66;--line:#d5d9de;--field:#7d8590;
--accent:#0b5cad;--on-accent:#fff;--error:#b3261e;--error-card:#fdecea;--good:#14663a;--good-card:#e6f4ea;--note-card:#e8f0fa}
@media (prefers-color-scheme:dark){:root{
--page:#111418;--card:#1b1f24;--text:#eceff2;--muted:#a9b1bb;--line:#363c44;--field:#858e99;
--accent:#8cbcf5;--on-accent:#0a1a2b;--error:#ffb4ab;--error-card:#3b1b19;--good:#8fd6a8;--good-card:#14291c;--note-card:#18273a}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text)}
main{display:grid;gap:1rem;max-width:30rem;margin:0 auto;padding:1.5rem 1rem 3rem}
header,h1,h2,p,ul,dl,dd{margin:0}
header p{color:var(--muted)}
h1{font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}
h2{font-size:1.125rem;margin-bottom:.75rem}
section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem}
section>*+*{margin-top:1rem}
ul{list-style:none;padding:0}
li,dl div{display:flex;gap:1rem;justify-content:space-between;align-items:baseline}
li{padding:.5rem 0;border-bottom:1px solid var(--line)}
li>:first-child{min-width:0;overflow-wrap:anywhere}
li small{display:block;color:var(--muted);font-size:.875rem}
.amount{white-space:nowrap;font-variant-numeric:tabular-nums}
dl{display:grid;gap:.25rem;margin-top:.75rem}
dt{color:var(--muted)}
dl .total{font-size:1.25rem;font-weight:600;padding-top:.25rem}
dl .total dt{color:inherit}
.notice{border-radius:.5rem;padding:.75rem 1rem;background:var(--note-card);overflow-wrap:anywhere}
.notice strong{display:block}
.notice.good{background:var(--good-card);color:var(--good)}
.notice.bad{background:var(--error-card);color:var(--error)}
form{display:grid;gap:1rem}
fieldset{border:0;margin:0;padding:0;min-width:0;display:grid;gap:.5rem}
legend{padding:0;margin-bottom:.5rem;font-weight:600}
.choice{display:grid;grid-template-columns:auto 1fr;gap:0 .75rem;align-items:center;min-height:3rem;padding:.75rem 1rem;border:1px solid var(--field);border-radius:.5rem;cursor:pointer}
.choice:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.choice input{width:1.25rem;height:1.25rem;margin:0;accent-color:var(--accent)}
.choice small{grid-column:2;color:var(--muted)}
.field{display:grid;gap:.25rem}
.field label{font-weight:600}
input:not([type=radio]),select{font:inherit;width:100%;min-height:3rem;padding:.5rem .75rem;color:inherit;background:var(--card);border:1px solid var(--field);border-radius:.5rem}
[aria-invalid=true]{border-color:var(--error)!important}
.error{color:var(--error)}
.hint{color:var(--muted);font-size:.875rem}
button,.button{display:block;width:100%;min-height:3rem;padding:.625rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:.5rem;cursor:pointer}
.button.plain{color:var(--accent);background:none}
summary{cursor:pointer;padding:.5rem 0;font-weight:600;color:var(--accent)}
details form{padding-top:1rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.later{display:none}
@supports selector(:has(*)){
form:not(:has([value=mobile_money]:is(:checked,[type=hidden]))) .phone{display:none}
form:has([value=cash]:is(:checked,[type=hidden])) .now{display:none}
form:has([value=cash]:is(:checked,[type=hidden])) .later{display:inline}}
@media (min-width:60rem){main{grid-template-columns:minmax(0,1fr) 26rem;align-items:start;max-width:62rem;padding-top:3rem}
header,.wide{grid-column:1/-1}}`;
