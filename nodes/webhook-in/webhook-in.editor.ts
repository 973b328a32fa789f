import { currentValue } from "../../lib/editor/dialog/dialog";
import type { EditedNode, PropertyDefinition } from "../../lib/editor/dialog/node-definition";
import { PALETTE } from "../../lib/editor/dialog/palette";
import { nodeTexts, sharedTexts } from "../../lib/editor/dialog/texts";
import { findNumberFault } from "../../lib/editor/fields/number-fault";
import { findAccountFault } from "../../lib/editor/inputs/account/account-property";
import { prepareCopyButton } from "../../lib/editor/inputs/copy-button";
import { check } from "../../lib/editor/inputs/faults";
import { defineNode, saveOutputs } from "../../lib/editor/nodes/define-node";
import { moveWires } from "../../lib/editor/outputs/move-wires";
import { findWrongAddress } from "../../lib/editor/webhook/address-entries";
import { optOutWordsFault, prepareOptOuts } from "../../lib/editor/webhook/opt-out-section";
import { prepareSelfTest } from "../../lib/editor/webhook/self-test";
import { watchLoop, getStatusChannel } from "../../lib/editor/webhook/status-channel";
import { findPathFault, watchWebhookUrl } from "../../lib/editor/webhook/webhook-address";
import { prepareSecret, randomSecret } from "../../lib/editor/webhook/webhook-secret";
import { WEBHOOK_DEFAULTS, WEBHOOK_PORTS, WEBHOOK_RANGES } from "../../lib/shared/fields/webhook-defaults";

const texts = nodeTexts("messaging-webhook-in");

type Kind = keyof typeof WEBHOOK_PORTS;

const PORTS: Readonly<Record<Kind, readonly string[]>> = {
  inbound: ["message", "unrecognised"],
  status: ["delivered", "failed", "other", "unrecognised"],
};

const toKind = (value: unknown): Kind => (value === "status" ? "status" : "inbound");
const getAuth = (node: EditedNode): string => String(currentValue(node, "auth"));
const hasUrlSecret = (node: EditedNode): boolean => ["query", "header"].includes(getAuth(node));

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
    getAuth(node) !== "header" || HEADER_NAME.test(value.trim()) ? null : texts("fault.headerName"),
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
      (id, node) => (id === "" || id === "_ADD_" ? null : findAccountFault(id, node)),
    ),
  },
  outputs: { value: WEBHOOK_PORTS[WEBHOOK_DEFAULTS.kind] },
};
for (const [name, value] of Object.entries(WEBHOOK_DEFAULTS)) {
  const validate = CHECKS[name];
  // The editor would show a 0 of a new node as blank, so numbers are texts.
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
      if (getAuth(node) !== "basic") {
        return null;
      }
      return value === "" ? texts("fault.username") : value.includes(":") ? texts("fault.colon") : null;
    }),
  },
  password: {
    type: "password",
    validate: labelled("password", (value, node) =>
      getAuth(node) === "basic" && value === "" ? texts("fault.password") : null,
    ),
  },
  secondPassword: { type: "password" },
} as const;

RED.nodes.registerType(
  "messaging-webhook-in",
  defineNode("messaging-webhook-in", {
    color: PALETTE.webhook,
    defaults,
    credentials,
    inputs: 0,
    outputs: WEBHOOK_PORTS[WEBHOOK_DEFAULTS.kind],
    describe(node) {
      const channel = getStatusChannel(node);
      return channel === null
        ? texts(`label.${toKind(node.kind)}`)
        : texts("label.channel", { channel: texts(`channel.${channel}`) });
    },
    outputLabel(node, index) {
      const meaning = PORTS[toKind(node.kind)][index];
      if (meaning === "other" && getStatusChannel(node) !== null) {
        return texts("port.otherOrChannel");
      }
      return meaning === undefined ? "" : texts(`port.${meaning}`);
    },
    added(node) {
      // Also for a copy: webhooks with a common secret would have to change it together.
      node.credentials = {
        ...(node.credentials as object | undefined),
        secret: randomSecret(),
        // The editor does not deploy a password without it.
        has_secret: true,
      };
    },
    begin(dialog) {
      const { node, input, form } = dialog;
      input("path").attr("placeholder", `/messaging/${node.id}`);
      const at = (name: string): JQuery => form.find(`#messaging-webhook-${name}`);
      const secret = prepareSecret(
        dialog,
        { renew: at("new-secret"), stored: at("stored-secret"), refusal: at("secret-refusal") },
        texts,
      );
      const url = at("url");
      watchWebhookUrl(dialog, { url, reach: at("reach"), plain: at("plain") }, secret.shown, texts);
      prepareCopyButton(at("copy"), (copy) => {
        if (getAuth(node) === "query") {
          secret.use(() => copy(String(url.val())));
        } else {
          copy(String(url.val()));
        }
      });
      prepareCopyButton(at("copy-secret"), (copy) => secret.use(copy));
      prepareSelfTest(node, at("test"), at("result"), texts);
      prepareOptOuts(dialog, texts);
      watchLoop(dialog, texts);
    },
    saved(node) {
      const [before, after] = [toKind(node.kind), toKind($("#node-input-kind").val())];
      saveOutputs(WEBHOOK_PORTS[after]);
      if (before === after) {
        return {};
      }
      return moveWires(node, (port) => {
        const meaning = PORTS[before][port];
        return PORTS[after].flatMap((other, at) => (other === meaning ? [at] : []));
      });
    },
  }),
);
