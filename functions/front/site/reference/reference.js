const surfaces = [...document.querySelectorAll("#surfaces a")];

/** Shows the document of the surface that the address names; the storefront's without one. */
async function show() {
  const chosen = surfaces.find((link) => link.hash === location.hash) ?? surfaces[0];
  for (const link of surfaces) link.toggleAttribute("aria-current", link === chosen);
  const response = await fetch(chosen.dataset.url);
  window.SwaggerUIBundle({
    spec: bySection(await response.json()),
    dom_id: "#reference",
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 4,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    withCredentials: true,
  });
}

/** Groups the calls by their path's section, where the document does not group them itself. */
function bySection(spec) {
  for (const [path, calls] of Object.entries(spec.paths)) {
    for (const call of Object.values(calls)) call.tags ??= [sectionOf(path)];
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
