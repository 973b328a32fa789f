import { isSlowPattern } from "../../lib/editor/checks/slow-pattern";
import { watchConditions } from "../../lib/editor/dialog/conditional-rows";
import { currentValue, type Dialog, openDialog } from "../../lib/editor/dialog/dialog";
import { openGroupsInUse } from "../../lib/editor/dialog/groups";
import type { EditedNode, PropertyDefinition } from "../../lib/editor/dialog/node-definition";
import { CATEGORY, PALETTE } from "../../lib/editor/dialog/palette";
import { addPaletteWords } from "../../lib/editor/dialog/palette-words";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeSource } from "../../lib/editor/fields/describe-source";
import { ACCOUNT_PROPERTY } from "../../lib/editor/inputs/account-property";
import { preselectAccount } from "../../lib/editor/inputs/preselect-account";
import { check, watchFaults } from "../../lib/editor/inputs/faults";
import { fieldProperties, type LiteralChecks, prepareFields } from "../../lib/editor/inputs/field-input";
import { messageProperty, prepareMessageProperty } from "../../lib/editor/outputs/result-properties";
import { addReceiver, canAddReceiver } from "../../lib/editor/webhook/add-receiver";
import { hasReceiver } from "../../lib/editor/webhook/event-receivers";
import {
  WAIT_DEFAULTS,
  WAIT_FIELDS,
  WAIT_KINDS,
  WAIT_PORTS,
  WAIT_RANGE,
  type WaitKind,
  waitPorts,
} from "../../lib/shared/fields/wait-fields";
import { readWaitUntil } from "../../lib/shared/schedule/wait-until";
import { isVariable } from "../../lib/shared/variable-name";
import { ReplyWords, type ReplyWordsFault } from "../../lib/shared/words/reply-words";

const texts = nodeTexts("message-wait");

const DAY = 86_400_000;

const LITERAL_CHECKS: LiteralChecks = {
  within: (value) => {
    const read = readWaitUntil(value, Date.now(), "");
    return read.ok ? null : texts(`fault.within.${read.fault}`, { days: WAIT_RANGE.most / DAY });
  },
};

const kindOf = (kind: unknown): WaitKind => WAIT_KINDS.find((each) => each === kind) ?? WAIT_KINDS[0];

/** What is wrong with the words or the pattern, as far as they count. */
function findReplyFault(node: EditedNode, setting: ReplyWordsFault["setting"], typed: string): string | null {
  const isReply = kindOf(currentValue(node, "kind")) === "reply";
  const match = currentValue(node, "match");
  const counts = setting === "words" ? match === "words" || match === "start" : match === setting;
  if (!isReply || !counts || isVariable(typed)) {
    return null;
  }
  const read = ReplyWords.read({ match: setting, words: typed, pattern: typed });
  if (read.ok) {
    return setting === "pattern" && isSlowPattern(typed) ? texts("fault.pattern.slow") : null;
  }
  return texts(`fault.${setting}.${read.fault}`, {
    entry: "entry" in read ? read.entry : "",
    reason: "reason" in read ? read.reason : "",
  });
}

const replySetting = (setting: ReplyWordsFault["setting"]): PropertyDefinition => ({
  value: WAIT_DEFAULTS[setting],
  validate: check(
    () => texts(`field.${setting}`),
    (value, node) => findReplyFault(node, setting, value),
  ),
});

const settings: Readonly<Record<keyof typeof WAIT_DEFAULTS, PropertyDefinition>> = {
  replyChannel: { value: WAIT_DEFAULTS.replyChannel },
  match: { value: WAIT_DEFAULTS.match },
  words: replySetting("words"),
  pattern: replySetting("pattern"),
  others: { value: WAIT_DEFAULTS.others },
  resultProperty: messageProperty(() => texts("field.resultProperty"), WAIT_DEFAULTS.resultProperty),
  waitProperty: messageProperty(() => texts("field.waitProperty"), WAIT_DEFAULTS.waitProperty),
};

const defaults = {
  name: { value: "" },
  account: ACCOUNT_PROPERTY,
  kind: { value: WAIT_KINDS[0] },
  ...fieldProperties(WAIT_FIELDS, texts, LITERAL_CHECKS),
  ...settings,
  outputs: { value: waitPorts(WAIT_KINDS[0], WAIT_DEFAULTS.match, WAIT_DEFAULTS.others) },
};

/** How the chosen account keeps its messages; null where no account is chosen. */
function keepingOf(accountId: string): string | null {
  const account = RED.nodes.node(accountId);
  return account ? String(account.keepMessages) : null;
}

/** Shows what the account and the other nodes of the flows mean for what is waited for. */
function watchAccount({ node, form, watch }: Dialog): void {
  const memory = form.find("#messaging-wait-memory");
  const unheard = form.find("#messaging-wait-unheard");
  const elsewhere = form.find("#messaging-wait-elsewhere");
  const add = form.find("#messaging-wait-add-webhook");
  const update = (): void => {
    const account = String(currentValue(node, "account") ?? "");
    const keeping = keepingOf(account);
    const events = kindOf(currentValue(node, "kind")) === "reply" ? "inbound" : "status";
    const isUnheard = keeping !== null && !hasReceiver(account, events);
    const mayBeElsewhere = keeping === "postgresql";
    memory.toggle(keeping === "memory");
    unheard.toggle(isUnheard && !mayBeElsewhere);
    unheard.find("span").text(texts(`hint.unheard.${events}`));
    add.toggle(isUnheard && !mayBeElsewhere && canAddReceiver(node));
    elsewhere.toggle(isUnheard && mayBeElsewhere);
    elsewhere.find("span").text(texts(`hint.elsewhere.${events}`));
  };
  add.on("click", () => {
    const kind = kindOf(currentValue(node, "kind"));
    addReceiver(node, String(currentValue(node, "account")), kind === "reply" ? "inbound" : "status");
    update();
  });
  watch(update);
  update();
}

RED.nodes.registerType("message-wait", {
  category: CATEGORY,
  color: PALETTE.wait,
  icon: "message-wait.svg",
  defaults,
  inputs: 1,
  outputs: defaults.outputs.value,
  paletteLabel: () => texts("palette"),
  onpaletteadd() {
    addPaletteWords("message-wait");
  },
  label() {
    const within = describeSource(this.withinSource, this.within);
    return this.name || texts(`label.${kindOf(this.kind)}`, { within });
  },
  labelStyle() {
    return this.name ? "node_label_italic" : "";
  },
  outputLabels(index) {
    return index === WAIT_PORTS.happened
      ? texts(`port.${kindOf(this.kind)}`)
      : texts(
          `port.${index === WAIT_PORTS.failed ? "failed" : index === WAIT_PORTS.silent ? "silent" : "other"}`,
        );
  },
  onadd() {
    preselectAccount(this);
  },
  oneditprepare() {
    const dialog = openDialog(this);
    watchConditions(dialog);
    openGroupsInUse(dialog, defaults);
    prepareFields(dialog, WAIT_FIELDS, texts);
    prepareMessageProperty(dialog, "resultProperty");
    prepareMessageProperty(dialog, "waitProperty");
    watchFaults(dialog, defaults);
    watchAccount(dialog);
  },
  oneditsave() {
    const value = (name: string): unknown => $(`#node-input-${name}`).val();
    $("#node-input-outputs").val(waitPorts(value("kind"), value("match"), value("others")));
    return {};
  },
});
