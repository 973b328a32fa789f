import { checkedOrValue, currentValue, type Dialog } from "../../lib/editor/dialog/dialog";
import type { EditedNode, PropertyDefinition } from "../../lib/editor/dialog/node-definition";
import { PALETTE } from "../../lib/editor/dialog/palette";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeSource } from "../../lib/editor/fields/describe-source";
import { giveAccount, receiverWithoutAccount } from "../../lib/editor/inputs/account/account-less";
import { ACCOUNT_PROPERTY, accountOf } from "../../lib/editor/inputs/account/account-property";
import { hasReceiver, type ReceivedEvents } from "../../lib/editor/inputs/event-receivers";
import { check } from "../../lib/editor/inputs/faults";
import { fieldProperties, type LiteralChecks } from "../../lib/editor/inputs/field-input";
import { saveOutputs } from "../../lib/editor/nodes/define-node";
import { defineFieldNode } from "../../lib/editor/nodes/define-field-node";
import { moveWires } from "../../lib/editor/outputs/move-wires";
import { messageProperty, prepareMessageProperty } from "../../lib/editor/outputs/result-properties";
import { addReceiver, canAddReceiver } from "../../lib/editor/inputs/add-receiver";
import {
  WAIT_DEFAULTS,
  WAIT_FIELDS,
  WAIT_KINDS,
  WAIT_RANGE,
  type WaitKind,
  type WaitOutcome,
  waitPorts,
} from "../../lib/shared/fields/wait-fields";
import { readDuration } from "../../lib/shared/schedule/read-duration";
import { readWaitUntil } from "../../lib/shared/schedule/wait-until";
import { isVariable } from "../../lib/shared/variable-name";
import { wordOutputs } from "../../lib/shared/words/word-outputs";
import { ReplyWords, type ReplyWordsFault } from "../../lib/shared/words/reply-words";

const texts = nodeTexts("messaging-message-wait");

const DAY = 86_400_000;

const LITERAL_CHECKS: LiteralChecks = {
  within: (value) => {
    const read = readWaitUntil(value, Date.now(), "");
    return read.ok ? null : texts(`fault.within.${read.fault}`, { days: WAIT_RANGE.most / DAY });
  },
};

const toKind = (kind: unknown): WaitKind => WAIT_KINDS.find((each) => each === kind) ?? WAIT_KINDS[0];

function findReplyFault(node: EditedNode, setting: ReplyWordsFault["setting"], typed: string): string | null {
  const isReply = toKind(currentValue(node, "kind")) === "reply";
  const match = currentValue(node, "match");
  const counts = setting === "words" ? match === "words" || match === "start" : match === setting;
  if (!isReply || !counts || isVariable(typed)) {
    return null;
  }
  const read = ReplyWords.read({ match: setting, words: typed, pattern: typed });
  if (read.ok) {
    return null;
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
  perWord: { value: WAIT_DEFAULTS.perWord },
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

type Meaning = { readonly word: string } | WaitOutcome;

function getMeanings(setting: (name: string) => unknown): readonly Meaning[] {
  const [kind, match, words, others, perWord] = ["kind", "match", "words", "others", "perWord"].map(setting);
  const known = wordOutputs({ kind, match, words, perWord });
  const happened: readonly Meaning[] = known.length > 0 ? known.map((word) => ({ word })) : ["happened"];
  const all: readonly Meaning[] = [...happened, "failed", "silent", "other"];
  return all.slice(0, waitPorts(kind, match, others, known.length));
}

const isWord = (meaning: Meaning | undefined): meaning is { readonly word: string } =>
  typeof meaning === "object";

/** A word that replaces another in its place keeps its wires. */
function portsAfter(before: readonly Meaning[], after: readonly Meaning[], port: number): readonly number[] {
  const meant = before[port];
  const [had, has] = [before.filter(isWord), after.filter(isWord)];
  if (isWord(meant) && has.length > 0) {
    const at = has.findIndex(({ word }) => word === meant.word);
    const isReplaced = at === -1 && had.length === has.length;
    return isReplaced ? [port] : at === -1 ? [] : [at];
  }
  const isReply = isWord(meant) || meant === "happened";
  return after.flatMap((meaning, at) =>
    meaning === meant || (isReply && (isWord(meaning) || meaning === "happened")) ? [at] : [],
  );
}

function watchReceivers({ node, form, watch }: Dialog): void {
  const unheard = form.find("#messaging-wait-unheard");
  const elsewhere = form.find("#messaging-wait-elsewhere");
  const add = form.find("#messaging-wait-add-webhook");
  const events = (): ReceivedEvents =>
    toKind(currentValue(node, "kind")) === "reply" ? "inbound" : "status";
  const idle = (): EditedNode | null => receiverWithoutAccount(accountOf(node), events(), node.z);
  const update = (): void => {
    const account = RED.nodes.node(accountOf(node));
    const isUnheard = Boolean(account) && !hasReceiver(accountOf(node), events());
    const mayBeElsewhere = account?.keepMessages === "postgresql";
    const other = isUnheard && !mayBeElsewhere ? idle() : null;
    unheard.toggle(isUnheard && !mayBeElsewhere);
    const webhook = other === null ? "" : RED.utils.getNodeLabel(other, other.id);
    unheard
      .find("span")
      .text(other === null ? texts(`hint.unheard.${events()}`) : texts("hint.withoutAccount", { webhook }));
    add.toggle(isUnheard && !mayBeElsewhere && (other !== null || canAddReceiver(node)));
    add.find("span").text(texts(other === null ? "hint.addWebhook" : "hint.giveAccount"));
    add.find(".fa").attr("class", `fa fa-${other === null ? "plus" : "check"}`);
    elsewhere.toggle(isUnheard && mayBeElsewhere);
    elsewhere.find("span").text(texts(`hint.elsewhere.${events()}`));
  };
  add.on("click", () => {
    const other = idle();
    if (other === null) {
      addReceiver(node, accountOf(node), events());
    } else {
      giveAccount(other, accountOf(node));
    }
    update();
  });
  watch(update);
}

RED.nodes.registerType(
  "messaging-message-wait",
  defineFieldNode("messaging-message-wait", WAIT_FIELDS, {
    color: PALETTE.wait,
    defaults,
    outputs: defaults.outputs.value,
    describe(node) {
      const within = describeSource(node.withinSource, node.within);
      const isMoment = node.withinSource === "str" && readDuration(String(node.within)) === null;
      return texts(`label.${isMoment ? "until" : "within"}.${toKind(node.kind)}`, { within });
    },
    outputLabel(node, index) {
      const meaning = getMeanings((name) => node[name])[index];
      if (meaning === undefined || isWord(meaning)) {
        return meaning?.word ?? "";
      }
      return texts(`port.${meaning === "happened" ? toKind(node.kind) : meaning}`);
    },
    added(node) {
      // A copy is already part of the flows and keeps its words.
      if (!RED.nodes.node(node.id)) {
        node.words = texts("initialWords");
      }
    },
    prepare(dialog) {
      prepareMessageProperty(dialog, "waitProperty");
      watchReceivers(dialog);
    },
    saved(node) {
      const before = getMeanings((name) => node[name]);
      const after = getMeanings((name) => checkedOrValue($(`#node-input-${name}`)));
      saveOutputs(after.length);
      return [...before, ...after].some(isWord)
        ? moveWires(node, (port) => portsAfter(before, after, port))
        : {};
    },
  }),
);
