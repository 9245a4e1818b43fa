const apiLinks = [...document.querySelectorAll("#apis a")];

/** Shows the document of the API in the URL fragment, by default the storefront's. */
async function show() {
  const selected = apiLinks.find((link) => link.hash === location.hash) ?? apiLinks[0];
  for (const link of apiLinks) link.toggleAttribute("aria-current", link === selected);
  const response = await fetch(selected.dataset.url);
  window.SwaggerUIBundle({
    spec: tagBySection(await response.json()),
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

/** Tags each operation without tags with the section of its path. */
function tagBySection(spec) {
  for (const [path, operations] of Object.entries(spec.paths)) {
    for (const operation of Object.values(operations)) operation.tags ??= [sectionOf(path)];
  }
  return spec;
}

const sectionOf = (path) =>
  path
    .replace(/^\/(api\/v1|v1\/link|v1\/businesses\/\{business_id\}|v1)\//, "")
    .split("/")
    .slice(0, path.includes("/catalogue/") ? 2 : 1)
    .join(": ") || "business";

window.addEventListener("hashchange", show);
show();
