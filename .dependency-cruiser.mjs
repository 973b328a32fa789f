/**
 * Who may import what. Layers and rooms are listed lowest first: an import points to the same or a lower line.
 */

/** A layer of `lib`, or the simulator, and what it imports from outside of itself. */
const LAYERS = {
  "lib/shared": { packages: ["ipaddr.js", "libphonenumber-js", "mustache"] },
  // The labels of the dialogs, which errors use.
  "lib/texts": { layers: ["lib/shared"], files: ["^nodes/[^/]+/locales/[^/]+/[^/]+[.]json$"] },
  "lib/gateway": {
    layers: ["lib/shared", "lib/texts", "lib/store"],
    packages: ["undici", "zod"],
    node: true,
  },
  "lib/webhook": { layers: ["lib/shared", "lib/texts"], packages: ["undici", "zod"], node: true },
  "lib/store": {
    layers: ["lib/shared", "lib/texts"],
    packages: ["@photostructure/sqlite", "pg"],
    node: true,
  },
  "lib/runtime": {
    layers: ["lib/shared", "lib/texts", "lib/gateway", "lib/webhook", "lib/store"],
    files: ["^nodes/[^/]+/locales/[^/]+/[^/]+[.]json$"],
    packages: ["node-red", "re2js", "undici", "zod"],
    node: true,
  },
  "lib/editor": { layers: ["lib/shared"], packages: ["@node-red/editor-client"] },
  // One rule says which web pages may call, the simulator as well as the admin routes.
  simulator: {
    files: ["^lib/shared/network/foreign-page[.]ts$"],
    packages: ["@fastify/busboy", "zod"],
    node: true,
  },
};

/**
 * The rooms of each layer. Rooms on one line do not import each other; `.` stands for the files beside the rooms.
 * A folder that is not listed here is refused.
 */
export const ROOMS = {
  "lib/shared": [
    "async fields network",
    ".",
    "personal-text recipients storage schedule words history",
    "opt-outs",
  ],
  "lib/texts": ["de en-US", "."],
  "lib/gateway": ["contract", "http", "codec", "client", "queue connection-test"],
  "lib/webhook": ["gates", "."],
  "lib/store": ["schema", "engine", "guards waits", "events", "jobs history", "."],
  "lib/runtime": [
    "node-red fields",
    "channels",
    "results",
    "guards simulator",
    "store",
    "waits",
    "account",
    "send webhook report opt-outs message-wait",
    ".",
    "admin",
  ],
  "lib/editor": [
    "dialog",
    "fields",
    "personal-text",
    "recipients",
    "inputs",
    "checks outputs personal-panels",
    "webhook nodes",
  ],
  simulator: [
    "util",
    "sign-in request",
    "inventory webhooks",
    "rules messages",
    "endpoints",
    "faults",
    "account",
    "controls",
    ".",
  ],
};

const DIALOG = "[.]editor[.]ts$";
/** Packages that the runtime of a node imports. */
const NODE_PACKAGES = ["mime-types", "node-red", "re2js", "zod"];
/** What runs in the browser below `nodes`. */
const BROWSER = [DIALOG, "^nodes/[^/]+/editor/"];
const EDITOR_LAYERS = ["^lib/editor/", "^lib/shared/"];
const RUNTIME_LAYERS = [
  "^lib/runtime/",
  "^lib/gateway/",
  "^lib/webhook/",
  "^lib/store/",
  "^lib/texts/",
  "^lib/shared/",
];

const packagePath = (name) => `(^|/)node_modules/${name}/`;

/** Refuses every import from these files but those listed; `node` also lets Node.js in. */
const only = (name, comment, from, files, node = false) => ({
  name,
  comment,
  severity: "error",
  from,
  to: { pathNot: files, ...(node && { dependencyTypesNot: ["core"] }) },
});

const layerRules = Object.entries(LAYERS).map(
  ([layer, { layers = [], packages = [], files = [], node = false }]) =>
    only(
      layer,
      `${layer} imports ${["itself", ...layers, ...packages, ...files, ...(node ? ["Node.js"] : [])].join(", ")}; nothing else.`,
      { path: `^${layer}/` },
      [...[layer, ...layers].map((folder) => `^${folder}/`), ...packages.map(packagePath), ...files],
      node,
    ),
);

const roomPath = (layer, room) => (room === "." ? `^${layer}/[^/]+$` : `^${layer}/${room}/`);

const roomRules = Object.entries(ROOMS).flatMap(([layer, lines]) => {
  const levels = lines.map((line) => line.split(" "));
  return [
    ...levels.flatMap((rooms, level) =>
      rooms.map((room) => {
        const lower = levels.slice(0, level).flat();
        return {
          name: `${layer}/${room}`,
          comment: `Of ${layer}, the room ${room} imports ${["itself", ...lower].join(", ")}; nothing else.`,
          severity: "error",
          from: { path: roomPath(layer, room) },
          to: { path: `^${layer}/`, pathNot: [room, ...lower].map((each) => roomPath(layer, each)) },
        };
      }),
    ),
    {
      name: `${layer}/unlisted`,
      comment: `This folder of ${layer} is not listed among its rooms in .dependency-cruiser.mjs.`,
      severity: "error",
      from: { path: `^${layer}/`, pathNot: levels.flat().map((room) => roomPath(layer, room)) },
      to: {},
    },
  ];
});

export default {
  forbidden: [
    ...layerRules,
    ...roomRules,
    {
      name: "lib/unlisted",
      comment: "This folder of lib is not listed among the layers in .dependency-cruiser.mjs.",
      severity: "error",
      from: { path: "^lib/", pathNot: Object.keys(LAYERS).map((layer) => `^${layer}/`) },
      to: {},
    },
    only(
      "nodes",
      "A node imports files beside it, lib without the editor, the packages above, and Node.js; never another node or the simulator.",
      { path: "^nodes/([^/]+)/", pathNot: ["^nodes/config/", ...BROWSER] },
      ["^nodes/$1/", "^use-features[.]ts$", ...RUNTIME_LAYERS, ...NODE_PACKAGES.map(packagePath)],
      true,
    ),
    only(
      "nodes/config",
      "The config node imports files beside it, lib without the editor, types of Node-RED, Node.js, the list of features, and the built-in simulator; never another node.",
      { path: "^nodes/config/", pathNot: DIALOG },
      [
        "^nodes/config/",
        "^use-features[.]ts$",
        ...RUNTIME_LAYERS,
        packagePath("node-red"),
        "^simulator/built-in[.]ts$",
      ],
      true,
    ),
    {
      name: "simulator-is-loaded-late",
      comment:
        "The simulator is loaded by require() when an account asks for it, never together with the node.",
      severity: "error",
      from: { path: "^nodes/" },
      to: {
        path: "^simulator/",
        dependencyTypes: ["import", "export", "import-equals"],
      },
    },
    {
      name: "no-dialog-in-runtime",
      comment: "Files *.editor.ts and editor/ run in the browser: only such files import them.",
      severity: "error",
      from: { path: "^nodes/", pathNot: BROWSER },
      to: { path: BROWSER },
    },
    only(
      "nodes/dialogs",
      "An edit dialog runs in the browser: it imports lib/editor, lib/shared, and beside it *.editor.ts files, editor/ and shared/.",
      { path: [`^(nodes/[^/]+)/.*${DIALOG}`, "^(nodes/[^/]+)/editor/"] },
      [`^$1/[^/]+${DIALOG}`, "^$1/(editor|shared)/", ...EDITOR_LAYERS],
    ),
    only(
      "nodes/shared",
      "What dialog and runtime of a node share imports lib/shared and files beside it.",
      { path: "^(nodes/[^/]+/shared)/" },
      ["^$1/", "^lib/shared/"],
    ),
    {
      name: "features-listed",
      comment: "features.ts lists the features; only use-features.ts imports it.",
      severity: "error",
      from: { pathNot: "^use-features[.]ts$" },
      to: { path: "^features[.]ts$" },
    },
    only(
      "plugins",
      "A plugin runs in the browser: it imports files beside it, lib/editor, lib/shared and preact.",
      { path: "^(plugins/[^/]+)/" },
      ["^$1/", ...EDITOR_LAYERS, packagePath("preact")],
    ),
    {
      name: "editor-types-once",
      comment: "Types of Node-RED's editor come in through lib/editor/dialog/node-red-editor.d.ts alone.",
      severity: "error",
      from: { path: "^lib/editor/", pathNot: "^lib/editor/dialog/node-red-editor[.]d[.]ts$" },
      to: { path: packagePath("@node-red/editor-client") },
    },
    {
      name: "plans-stay-in-runtime",
      comment: "No dialog has a use for country and type of numbers, and what tells them is large.",
      severity: "error",
      from: { path: ["^lib/editor/", "^plugins/", ...BROWSER] },
      to: { path: "^lib/shared/recipients/number-facts[.]ts$" },
    },
    {
      name: "no-circle",
      comment: "Files import each other in a circle, types included.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    // TypeScript 7 offers no parser, and the default one loses imports of types.
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    // The parser reads no JSX. The types of the editor refuse what runs in Node.js.
    exclude: { path: "[.]tsx$" },
  },
};
