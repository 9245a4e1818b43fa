/**
 * Adds new messages to the page of a conversation by itself. The page works without it. It asks
 * more seldom while nothing happens, and not at all while nobody looks.
 */
export const chatScript = `(() => {
  const list = document.getElementById("messages");
  if (!list) return;
  const shortest = 4000, longest = 30000;
  let wait = shortest;
  let timer = 0;
  const ask = async () => {
    const last = list.lastElementChild?.dataset.at ?? "";
    const response = await fetch(list.dataset.path + "?after=" + encodeURIComponent(last));
    if (response.status === 200) {
      list.insertAdjacentHTML("beforeend", await response.text());
      list.lastElementChild.scrollIntoView({ block: "nearest" });
      wait = shortest;
    } else wait = response.status === 204 ? Math.min(wait * 1.3, longest) : longest;
  };
  const run = async () => {
    timer = 0;
    if (document.hidden) return;
    await ask().catch(() => { wait = longest; });
    start();
  };
  const start = () => { if (!timer) timer = setTimeout(run, wait); };
  document.addEventListener("visibilitychange", () => { wait = shortest; start(); });
  start();
})();
`;
