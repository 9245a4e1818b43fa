const groupStyle = new CSSStyleSheet();
document.adoptedStyleSheets = [groupStyle];

const apiLinks = [...document.querySelectorAll("#apis a")];

/** Shows the document of the API in the URL fragment, by default the storefront's. */
async function show() {
  const selected = apiLinks.find((link) => link.hash === location.hash) ?? apiLinks[0];
  for (const link of apiLinks) link.toggleAttribute("aria-current", link === selected);
  const response = await fetch(selected.dataset.url);
  const spec = await response.json();
  showGroups(spec);
  window.SwaggerUIBundle({
    spec,
    dom_id: "#reference",
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 4,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    validatorUrl: null,
    withCredentials: true,
  });
}

/** Writes the name of each group above the first of its sections. */
function showGroups(spec) {
  const rules = spec["x-tagGroups"].map(({ name, tags }) => {
    const first = CSS.escape(tags[0]);
    return `.opblock-tag-section:has(> [data-tag="${first}"])::before { content: "${CSS.escape(name)}" }`;
  });
  groupStyle.replaceSync(rules.join("\n"));
}

window.addEventListener("hashchange", show);
show();
