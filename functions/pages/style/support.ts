/** The conversation with a shop. */
export const supportStyle = `
.chat { width: min(100%, 44rem); margin-inline: auto; display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); }
#messages { display: grid; gap: var(--space-4); }
#messages:empty { display: none; }
#messages li { display: grid; gap: var(--space-1); max-width: min(100%, 34rem); justify-self: start; overflow-wrap: anywhere; }
#messages li.mine { justify-self: end; }
#messages .said { white-space: pre-wrap; padding: var(--space-3) var(--space-4); border-radius: var(--radius); background: var(--surface); border: 1px solid var(--border); }
#messages .mine .said { background: var(--info-soft); border-color: transparent; }
#messages .mine .hint { text-align: end; }
#write { display: grid; gap: var(--space-3); justify-items: start; scroll-margin-top: 6rem; }
#write .field { width: 100%; }
textarea { resize: vertical; }
`;
