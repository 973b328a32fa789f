import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  type PanelMessage,
  type PanelReply,
  type PanelSuggestion,
  REPORTED_STATUSES,
} from "../../../lib/shared/simulator-panel";
import { channelName, formatTime, texts } from "../shared/format";
import { Select } from "../shared/inputs";
import { Button, Icon, Quiet } from "../shared/parts";
import { Cards, FullText } from "./cards";
import { Composer } from "./composer";
import type { Act } from "./use-simulator";

const STATUS_ICONS = {
  sent: "check",
  delivered: "check-circle-o",
  read: "eye",
  failed: "times",
} as const satisfies Readonly<Record<(typeof REPORTED_STATUSES)[number], string>>;

const CHANNEL_ICONS = { sms: "envelope-o", whatsapp: "whatsapp", rcs: "comments-o" } as const;

interface HeadProps {
  readonly message: PanelMessage | PanelReply;
  readonly children: ComponentChildren;
}

function Head({ message: { at, channel, ...message }, children }: HeadProps) {
  const isSpoken = "spoken" in message && message.spoken;
  return (
    <div class="messaging-simulator-head">
      <span class="messaging-time">{formatTime(at)}</span>
      <span class="messaging-channel" title={isSpoken ? texts("simulator.call") : channelName(channel)}>
        <Icon name={isSpoken ? "phone" : CHANNEL_ICONS[channel]} />
      </span>
      <span>{children}</span>
    </div>
  );
}

const Text = ({ text }: { readonly text: string | null }) =>
  text === null || text === "" ? (
    <Quiet>{texts(text === null ? "simulator.hiddenText" : "simulator.noText")}</Quiet>
  ) : (
    <FullText text={text} />
  );

export interface ActProps {
  /** null for a user who may not act. */
  readonly act: Act | null;
  readonly say: (text: string, isWrong?: boolean) => void;
}

/** Has the focus, and ends with Escape. */
function Reply({ onEnd, children }: { readonly onEnd: () => void; readonly children: ComponentChildren }) {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  return (
    <div ref={form} onKeyDownCapture={({ key }) => key === "Escape" && onEnd()}>
      {children}
    </div>
  );
}

/** The buttons of a recipient: replies and reports. */
function Actions({
  message,
  act,
  say,
  person,
  setPerson,
}: {
  readonly message: PanelMessage;
  readonly act: Act;
  readonly say: ActProps["say"];
  /** Index of the recipient; blank for all. */
  readonly person: string;
  readonly setPerson: (person: string) => void;
}) {
  const [isReplying, setReplying] = useState(false);
  const { transferId, channel, people, count, who } = message;
  const acting = { transferId, ...(person !== "" && { person: Number(person) }) };
  return (
    <>
      {people.length > 1 && (
        <div class="messaging-row">
          <Select
            label={texts("simulator.person")}
            options={[
              ["", texts("simulator.people", { n: count })],
              ...people.map((number, at) => [String(at), number] as const),
            ]}
            value={person}
            onChange={setPerson}
          />
        </div>
      )}
      <div class="messaging-buttons">
        <Button icon="reply" tip={texts("simulator.reply")} onPress={() => setReplying(!isReplying)} />
        {REPORTED_STATUSES.filter((status) => channel !== "sms" || status !== "read").map((status) => (
          <Button
            key={status}
            icon={STATUS_ICONS[status]}
            tip={texts(`simulator.status.${status}`)}
            onPress={() => void act("status", { ...acting, status })}
          />
        ))}
      </div>
      {isReplying && (
        <Reply onEnd={() => setReplying(false)}>
          <Composer
            label={texts("simulator.replyText", { who: people[Number(person)] ?? who })}
            hasPicture={channel !== "sms"}
            complain={(text) => say(text, true)}
            onSend={(written) => act("reply", { ...acting, ...written })}
            onSent={() => setReplying(false)}
          />
        </Reply>
      )}
    </>
  );
}

/** A message that the simulator has accepted, with the actions of its recipients. */
export function SimulatedMessage({ message, act, say }: { readonly message: PanelMessage } & ActProps) {
  // The recipient that the user acts as, of several.
  const [person, setPerson] = useState("");
  const { text, cards, test, spoken, transferId, who, count } = message;
  const tap = ({ index, heard, text: label }: PanelSuggestion): void => {
    if (heard) {
      const acting = person === "" ? {} : { person: Number(person) };
      void act?.("tap", { transferId, ...acting, suggestion: index });
    } else {
      say(texts("simulator.stays", { text: label }));
    }
  };
  const people = count > 1 ? texts("more", { who, n: count - 1 }) : who;
  return (
    <div class="messaging-simulator-message">
      <Head message={message}>{texts(spoken ? "simulator.calls" : "simulator.sentTo", { who: people })}</Head>
      {spoken && (
        <Quiet>
          <Icon name="volume-up" /> {texts("simulator.spoken")}
        </Quiet>
      )}
      {(text !== "" || cards.length === 0) && <Text text={text} />}
      <Cards message={message} tap={act === null || test ? null : tap} />
      {test && <Quiet>{texts("simulator.test")}</Quiet>}
      {!test && act !== null && (
        <Actions message={message} act={act} say={say} person={person} setPerson={setPerson} />
      )}
    </div>
  );
}

/** A message that a recipient has sent to the account. */
export function SimulatedReply({ reply }: { readonly reply: PanelReply }) {
  const { text, picture, tapped, who } = reply;
  return (
    <div class="messaging-simulator-message messaging-simulator-reply">
      <Head message={reply}>{texts("simulator.from", { who })}</Head>
      {(text !== "" || !picture) && <Text text={text} />}
      {picture && (
        <Quiet>
          <Icon name="picture-o" /> {texts("simulator.picture.shown")}
        </Quiet>
      )}
      {tapped && (
        <Quiet>
          <Icon name="hand-pointer-o" /> {texts("simulator.tapped")}
        </Quiet>
      )}
    </div>
  );
}
