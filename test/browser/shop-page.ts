/** The embedding page of docs/elements.md, which records the messages of the frame. */
export const shopPage = `<!doctype html>
<title>Shop</title>
<iframe title="Duka Link"></iframe>
<script>
const frame = document.querySelector("iframe");
const messages = [];
let service = "";
let nonce = "";

const send = (message) => frame.contentWindow.postMessage({ nonce, ...message }, service);

function embed(src, init) {
  service = new URL(src).origin;
  nonce = crypto.randomUUID();
  frame.addEventListener("load", () => send({ type: "init", ...init }));
  frame.src = src;
}

addEventListener("message", ({ source, origin, data }) => {
  if (source !== frame.contentWindow || origin !== service || data.nonce !== nonce) return;
  messages.push(data);
  if (data.type === "height_change") frame.style.height = data.height + "px";
});
</script>
`;
