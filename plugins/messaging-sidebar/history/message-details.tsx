import { useEffect, useState } from "preact/hooks";
import type { MessageLife, SentItem } from "../../../lib/shared/history/history";
import type { MessageRecord, TimelineKind, TimelineStep } from "../../../lib/shared/history/message-record";
import { post } from "../shared/api";
import { DeliveryHint } from "../shared/delivery-hint";
import { channelName, failureText, texts, type Tone } from "../shared/format";
import { findNode, nodeLabel } from "../shared/nodes";
import { Button, Dot, Facts, Quiet, Time } from "../shared/parts";
import { getTone } from "./wording";

const STEP_TONES: Readonly<Record<TimelineKind, Tone | "outcome">> = {
  queued: "none",
  sending: "in",
  answered: "outcome",
  cancelled: "wait",
  interrupted: "bad",
  delivered: "good",
  read: "good",
  failed: "bad",
  status: "none",
  reply: "in",
};

/** Operations whose name says more than their channel; each has a text. */
const NAMED_OPERATIONS = [
  "sms-form",
  "sms-get",
  "sms-json",
  "whatsapp-broadcast",
  "whatsapp-text",
  "whatsapp-media",
  "whatsapp-template",
];

function operationLabel({ channel, operation }: MessageRecord): string {
  const label = channelName(channel);
  return NAMED_OPERATIONS.includes(operation)
    ? `${label}, ${texts(`operation.${operation}`)} (${operation})`
    : label;
}

/** The words of the response, which say more than its outcome, with its code. */
function responseText({ statusCode, statusName, statusMessage }: MessageRecord): string {
  const code = [statusCode, statusName].filter((part) => part !== null).join(" ");
  const said = statusMessage ?? "";
  return said === "" || code === "" ? said + code : `${said} (${code})`;
}

function Step({ step, record }: { readonly step: TimelineStep; readonly record: MessageRecord }) {
  const { kind, at, text, outcome } = step;
  const { statusName, recipient } = record;
  const tone = STEP_TONES[kind];
  return (
    <li>
      <Dot
        tone={tone === "outcome" ? getTone({ state: "done", outcome, delivery: null, statusName }) : tone}
      />
      <span>
        <Time at={at} /> {kind === "reply" ? texts("history.reply", { who: recipient }) : text}
        {kind === "answered" && <span class="messaging-answer"> {responseText(record)}</span>}
      </span>
    </li>
  );
}

function NodeLink({ path }: { readonly path: string }) {
  const node = findNode(path);
  if (path === "" || node === null) {
    return <>{nodeLabel(path)}</>;
  }
  return (
    <button
      type="button"
      class="messaging-link"
      title={texts("reveal")}
      onClick={() => RED.view.reveal(node.id)}
    >
      {nodeLabel(path)}
    </button>
  );
}

export interface MessageActions {
  /** Sends the message of the flow again to those who failed; null for a user who may not. */
  readonly sendAgain: ((record: MessageRecord) => void) | null;
  readonly converse: ((number: string) => void) | null;
}

/** The life of a message: its meaning, what to do, its steps, and its ids. */
function Life({ life: { record, steps }, actions }: { life: MessageLife; actions: MessageActions }) {
  const { meaning, advice, account, node, outcome, delivery, test, state, recipient } = record;
  const { sendAgain, converse } = actions;
  const hasFailed = state === "done" && ["bad", "wait"].includes(getTone(record));
  const needsReport = (outcome === "sent" || outcome === "queued") && delivery === null && !test;
  const adviceLine = advice !== null && (
    <p>
      <b>{texts("history.advice")}</b> {advice}
    </p>
  );
  return (
    <>
      <p>{meaning}</p>
      {needsReport ? (
        <DeliveryHint account={account} beside={findNode(node)}>
          {adviceLine}
        </DeliveryHint>
      ) : (
        adviceLine
      )}
      <ol class="messaging-steps">
        {steps.map((step, at) => (
          <Step key={`${at} ${step.at}`} step={step} record={record} />
        ))}
      </ol>
      <Facts
        rows={[
          [texts("history.fact.node"), <NodeLink key="node" path={node} />],
          [texts("history.fact.operation"), operationLabel(record)],
          [texts("history.fact.clientMessageId"), record.clientMessageId],
          [texts("history.fact.transferId"), record.transferId],
          [texts("history.fact.attempts"), record.attempts > 1 ? String(record.attempts) : null],
        ]}
      />
      {converse !== null && recipient.startsWith("+") && (
        <Button
          icon="comments-o"
          text={texts("history.conversation.button")}
          onPress={() => converse(recipient)}
        />
      )}
      {/* One that may have arrived is never sent again. */}
      {sendAgain !== null && hasFailed && outcome !== "unknown" && (
        <Button icon="repeat" text={texts("history.again.job")} onPress={() => sendAgain(record)} />
      )}
    </>
  );
}

/** Reads the life of a message, again after each change of it. */
export function MessageDetails({ item, actions }: { item: SentItem; actions: MessageActions }) {
  const [life, setLife] = useState<MessageLife | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { account, request, place } = item;
  useEffect(() => {
    let isCurrent = true;
    post<MessageLife>(account, "history/message", { request, place }).then(
      (found) => isCurrent && setLife(found),
      (reason: unknown) => isCurrent && setFailure(reason),
    );
    return () => {
      isCurrent = false;
    };
  }, [JSON.stringify(item)]);
  return (
    <div class="messaging-details">
      {life !== null ? (
        <Life life={life} actions={actions} />
      ) : failure !== null ? (
        <div class="messaging-wrong">{failureText(failure)}</div>
      ) : (
        <Quiet>{texts("history.loading")}</Quiet>
      )}
    </div>
  );
}
