const apiLinks = [...document.querySelectorAll("#apis a")];
const reference = document.querySelector("#reference");

/** The demo shops of `npm run dev`. A deployment has none. */
const demoShops = JSON.parse(reference.dataset.demo ?? '{"shops":[]}').shops;
let demoShop = demoShops[0];

followColorScheme();
if (demoShop) showDemoKeys();
window.addEventListener("hashchange", show);
show();

/** Shows the document of the API in the URL fragment, by default the storefront's. */
async function show() {
  const selected = apiLinks.find((link) => link.hash === location.hash) ?? apiLinks[0];
  for (const link of apiLinks) link.toggleAttribute("aria-current", link === selected);
  const response = await fetch(selected.dataset.url);
  const spec = await response.json();
  fillParameters(spec);
  const page = document.createElement("div");
  reference.replaceChildren(page);
  const ui = window.SwaggerUIBundle({
    spec,
    domNode: page,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 4,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    validatorUrl: null,
    withCredentials: true,
    plugins: [groupHeadings(spec["x-tagGroups"])],
    onComplete: () => demoShop && authorize(ui, demoShop.keys),
  });
}

/** Writes the name of each group above the first of its sections that the filter shows. */
function groupHeadings(groups) {
  const firstTagsByFilter = new Map();
  const findFirstTags = ({ specSelectors, layoutSelectors, fn }) => {
    const filter = layoutSelectors.currentFilter();
    const known = firstTagsByFilter.get(filter);
    if (known) return known;
    const sections = specSelectors.taggedOperations();
    const visible = typeof filter === "string" ? fn.opsFilter(sections, filter) : sections;
    const firstTags = new Map(
      groups.map(({ name, tags }) => [tags.find((tag) => visible.has(tag)), name]),
    );
    firstTagsByFilter.set(filter, firstTags);
    return firstTags;
  };
  const withHeading = (Section, system) => (props) => {
    const { createElement, Fragment } = system.React;
    const group = findFirstTags(system).get(props.tag);
    const heading = group !== undefined && createElement("h2", { className: "group" }, group);
    return createElement(Fragment, null, heading, createElement(Section, props));
  };
  return () => ({ wrapComponents: { OperationTag: withHeading } });
}

/** Authorizes "Try it out" with the shop's keys, where the document takes them. */
function authorize(ui, { publishable, secret, deploy }) {
  ui.preauthorizeApiKey("publishableKey", publishable);
  ui.preauthorizeApiKey("secretKey", secret);
  ui.preauthorizeApiKey("deployKey", deploy);
}

/** Fills in the business of the keys, and leaves out optional filters until somebody sets them. */
function fillParameters({ paths }) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if (parameter.name === "business_id") parameter.example = demoShop?.id;
    else if (!parameter.required) delete parameter.schema.example;
  }
}

/** Lets the developer choose the demo shop whose keys the requests carry. */
function showDemoKeys() {
  const panel = document.querySelector("#demo-shops").content.cloneNode(true);
  const choice = panel.querySelector("select");
  for (const { id, name } of demoShops) choice.add(new Option(name, id));
  const values = [...panel.querySelectorAll("code")];
  const showValues = () => {
    const { id, keys } = demoShop;
    const texts = { id, ...keys };
    for (const value of values) value.textContent = texts[value.dataset.value];
  };
  choice.addEventListener("change", () => {
    demoShop = demoShops.find(({ id }) => id === choice.value);
    showValues();
    show();
  });
  showValues();
  reference.before(panel);
}

/** Swagger UI has dark colors, which a class of the document selects. */
function followColorScheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", apply);
  apply();
}
