import { findAccountFault } from "../../lib/editor/inputs/account-property";
import { preselectAccount } from "../../lib/editor/inputs/preselect-account";
import { watchConditions } from "../../lib/editor/dialog/conditional-rows";
import { prepareStoreSelect } from "../../lib/editor/inputs/context-stores";
import { prepareCopyButton } from "../../lib/editor/inputs/copy-button";
import { currentValue, openDialog } from "../../lib/editor/dialog/dialog";
import { check, watchFaults } from "../../lib/editor/inputs/faults";
import { openGroupsInUse } from "../../lib/editor/dialog/groups";
import { moveWires } from "../../lib/editor/outputs/move-wires";
import type { EditedNode, PropertyDefinition } from "../../lib/editor/dialog/node-definition";
import { findNumberFault } from "../../lib/editor/fields/number-fault";
import { CATEGORY, PALETTE } from "../../lib/editor/dialog/palette";
import { addPaletteWords } from "../../lib/editor/dialog/palette-words";
import { randomSecret } from "../../lib/editor/webhook/random-secret";
import { prepareSelfTest } from "../../lib/editor/webhook/self-test";
import { nodeTexts, sharedTexts } from "../../lib/editor/dialog/texts";
import { findPathFault, watchWebhookUrl } from "../../lib/editor/webhook/webhook-address";
import { WebhookSecret } from "../../lib/editor/webhook/webhook-secret";
import { optOutWordsFault, prepareOptOuts } from "../../lib/editor/webhook/opt-out-section";
import { statusChannelOf, watchLoop } from "../../lib/editor/webhook/status-channel";
import { findWrongAddress } from "../../lib/editor/webhook/address-entries";
import { WEBHOOK_DEFAULTS, WEBHOOK_PORTS, WEBHOOK_RANGES } from "../../lib/shared/fields/webhook-defaults";

const texts = nodeTexts("webhook-in");

type Kind = keyof typeof WEBHOOK_PORTS;

/** Meaning of each output, which is also the key of its label. */
const PORTS: Readonly<Record<Kind, readonly string[]>> = {
  inbound: ["message", "unrecognised"],
  status: ["delivered", "failed", "other", "unrecognised"],
};

const kindOf = (value: unknown): Kind => (value === "status" ? "status" : "inbound");
const authOf = (node: EditedNode): string => String(currentValue(node, "auth"));
const hasUrlSecret = (node: EditedNode): boolean => ["query", "header"].includes(authOf(node));

const labelled = (name: string, findFault: (value: string, node: EditedNode) => string | null) =>
  check(() => texts(`field.${name}`), findFault);

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const CHECKS: Readonly<Record<string, PropertyDefinition["validate"]>> = {
  path: labelled("path", (value, node) => findPathFault(value, node, texts)),
  publicAddress: labelled("publicAddress", (value) =>
    value.trim() === "" ||
    (/^https?:\/\//i.test(value.trim()) && URL.canParse(value.trim()) && !/[?#]/.test(value))
      ? null
      : texts("fault.publicAddress"),
  ),
  headerName: labelled("headerName", (value, node) =>
    authOf(node) !== "header" || HEADER_NAME.test(value.trim()) ? null : texts("fault.headerName"),
  ),
  allowedAddresses: labelled("allowedAddresses", (value) => {
    const entry = findWrongAddress(value);
    return entry === null ? null : texts("fault.allowedAddresses", { entry });
  }),
  stopWords: labelled("stopWords", (_value, node) => optOutWordsFault("stopWords", node, texts)),
  startWords: labelled("startWords", (_value, node) => optOutWordsFault("startWords", node, texts)),
  ...Object.fromEntries(
    Object.entries(WEBHOOK_RANGES).map(([name, range]) => [
      name,
      labelled(name, (value) => (value.trim() === "" ? null : findNumberFault(value, range))),
    ]),
  ),
};

const defaults: Record<string, PropertyDefinition> = {
  name: { value: "" },
  account: {
    value: "",
    type: "messaging-account",
    required: false,
    validate: check(
      () => sharedTexts("field.account"),
      (id) => (id === "" || id === "_ADD_" ? null : findAccountFault(id)),
    ),
  },
  outputs: { value: WEBHOOK_PORTS[WEBHOOK_DEFAULTS.kind] },
};
for (const [name, value] of Object.entries(WEBHOOK_DEFAULTS)) {
  const validate = CHECKS[name];
  // Numbers as texts, as inputs hold them: of a new node the editor would show a 0 as blank.
  defaults[name] = {
    value: typeof value === "number" ? String(value) : value,
    ...(validate && { validate }),
  };
}

const credentials = {
  secret: {
    type: "password",
    validate: labelled("secret", (value, node) =>
      hasUrlSecret(node) && value.trim() === "" ? texts("fault.secret") : null,
    ),
  },
  secondSecret: { type: "password" },
  username: {
    type: "text",
    validate: labelled("username", (value, node) => {
      if (authOf(node) !== "basic") {
        return null;
      }
      return value === "" ? texts("fault.username") : value.includes(":") ? texts("fault.colon") : null;
    }),
  },
  password: {
    type: "password",
    validate: labelled("password", (value, node) =>
      authOf(node) === "basic" && value === "" ? texts("fault.password") : null,
    ),
  },
  secondPassword: { type: "password" },
} as const;

RED.nodes.registerType("webhook-in", {
  category: CATEGORY,
  color: PALETTE.webhook,
  icon: "webhook-in.svg",
  defaults,
  credentials,
  inputs: 0,
  outputs: WEBHOOK_PORTS[WEBHOOK_DEFAULTS.kind],
  paletteLabel: () => texts("palette"),
  onpaletteadd() {
    addPaletteWords("webhook-in");
  },
  label() {
    const channel = statusChannelOf(this);
    return (
      this.name ||
      (channel === null
        ? texts(`label.${kindOf(this.kind)}`)
        : texts("label.channel", { channel: texts(`channel.${channel}`) }))
    );
  },
  labelStyle() {
    return this.name ? "node_label_italic" : "";
  },
  outputLabels(index) {
    const meaning = PORTS[kindOf(this.kind)][index];
    if (meaning === "other" && statusChannelOf(this) !== null) {
      return texts("port.otherOrChannel");
    }
    return meaning === undefined ? "" : texts(`port.${meaning}`);
  },
  onadd() {
    preselectAccount(this);
    // Also of a copy: two webhooks with one secret would both have to change it.
    this.credentials = {
      ...(this.credentials as object | undefined),
      secret: randomSecret(),
      // Of a password the editor deploys nothing without it.
      has_secret: true,
    };
  },
  oneditprepare() {
    const dialog = openDialog(this);
    const { input, form } = dialog;
    prepareStoreSelect(input("store"), String(this.store));
    input("path").attr("placeholder", `/messaging/${this.id}`);
    const at = (name: string): JQuery => form.find(`#messaging-webhook-${name}`);
    const secret = new WebhookSecret(
      dialog,
      { renew: at("new-secret"), stored: at("stored-secret"), refusal: at("secret-refusal") },
      texts,
    );
    const url = at("url");
    watchWebhookUrl(dialog, { url, reach: at("reach"), plain: at("plain") }, () => secret.shown, texts);
    prepareCopyButton(at("copy"), (copy) => {
      if (authOf(this) === "query") {
        secret.use(() => copy(String(url.val())));
      } else {
        copy(String(url.val()));
      }
    });
    prepareCopyButton(at("copy-secret"), (copy) => secret.use(copy));
    prepareSelfTest(this, at("test"), at("result"), texts);
    prepareOptOuts(dialog, texts);
    watchLoop(dialog, texts);
    watchConditions(dialog);
    watchFaults(dialog, { ...defaults, ...credentials });
    openGroupsInUse(dialog, defaults);
  },
  oneditsave() {
    const [before, after] = [kindOf(this.kind), kindOf($("#node-input-kind").val())];
    $("#node-input-outputs").val(WEBHOOK_PORTS[after]);
    if (before === after) {
      return {};
    }
    return moveWires(this, (port) => {
      const meaning = PORTS[before][port];
      return PORTS[after].flatMap((other, at) => (other === meaning ? [at] : []));
    });
  },
});
