/** A message that the console provider of `npm run dev` did not send. */
export type CaughtMessage = Readonly<{
  id: string;
  channel: string;
  to: string;
  name: string | null;
  subject: string | null;
  html: string | null;
  text: string;
  attachments: readonly Readonly<{ filename: string; content_type: string; content: string }>[];
}>;

const maxMessages = 500;

/** Keeps the latest messages in memory, newest first. Messages that arrive again are kept once. */
export function createMailbox() {
  let messages: readonly CaughtMessage[] = [];
  const bounced = new Set<string>();
  return {
    /**
     * Returns whether the message was kept. The first to an address in `.invalid` is not, so that the
     * console shows a failed message, and sending it again works.
     */
    add(message: CaughtMessage): boolean {
      const { to } = message;
      if (to.endsWith(".invalid") && !bounced.has(to)) {
        bounced.add(to);
        return false;
      }
      const others = messages.filter(({ id }) => id !== message.id);
      messages = [message, ...others].slice(0, maxMessages);
      return true;
    },
    list: () => messages,
    find: (id: string) => messages.find((message) => message.id === id),
  };
}

/** The message of a request's body; null when it is not one. */
export function parseCaughtMessage(body: string): CaughtMessage | null {
  try {
    const { id, channel, to, name, subject, html, text, attachments } = Object(JSON.parse(body));
    if (typeof id !== "string" || typeof to !== "string" || typeof text !== "string") return null;
    return {
      ...{ id, channel: String(channel), to, text },
      name: name ?? null,
      subject: subject ?? null,
      html: html ?? null,
      attachments: attachments ?? [],
    };
  } catch {
    return null; // it is not JSON
  }
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The page that lists the messages, each with its e-mail in a frame. */
export const mailboxPage = (messages: readonly CaughtMessage[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Messages</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 760px; margin: 24px auto; padding: 0 16px; font: 15px/1.5 system-ui, sans-serif; }
details { border-top: 1px solid #8886; padding: 10px 0; }
summary { cursor: pointer; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { width: 100%; height: 640px; border: 1px solid #8886; border-radius: 6px; }
</style>
<h1>Messages</h1>
<p>What this service would have sent. The list is empty after a restart.</p>
${messages.length === 0 ? "<p>There are no messages yet.</p>" : messages.map(messageEntry).join("\n")}
</html>
`;

const messageEntry = ({ id, channel, to, name, subject, html, text, attachments }: CaughtMessage) =>
  `<details>
<summary><strong>${escapeHtml(subject ?? text.slice(0, 80))}</strong><br>${escapeHtml(
    [name, channel, to].filter(Boolean).join(" · "),
  )}</summary>
${html === null ? "" : `<p><a href="/dev/messages/${encodeURIComponent(id)}">Open the e-mail</a></p><iframe title="E-mail" src="/dev/messages/${encodeURIComponent(id)}"></iframe>`}
<pre>${escapeHtml(text)}</pre>
${attachments.map(({ filename, content }) => `<h2>${escapeHtml(filename)}</h2><pre>${escapeHtml(content)}</pre>`).join("\n")}
</details>`;
