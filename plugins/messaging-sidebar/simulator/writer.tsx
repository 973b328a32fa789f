import { useEffect, useRef, useState } from "preact/hooks";
import {
  INBOUND_CHANNELS,
  type InboundChannel,
  type SimulatorView,
} from "../../../lib/shared/simulator-panel";
import { texts } from "../shared/format";
import { Select, TextInput } from "../shared/inputs";
import { Composer } from "./composer";
import type { Act } from "./use-simulator";

const PHONE = /^\+[1-9]\d{4,14}$/;

/** Where a simulated inbound message comes from. */
interface Source {
  readonly channel: InboundChannel;
  /** With plus. */
  readonly sender: string;
}

const START: Source = { channel: "sms", sender: "+41790000001" };

/** Channel and number of the newest message in any direction whose number is known; null for none. */
export function getLatest({ messages, replies }: SimulatorView): Source | null {
  const [latest] = [...messages, ...replies]
    .filter(({ number }) => number !== null && PHONE.test(number))
    .sort((one, other) => other.at - one.at);
  return latest === undefined ? null : { channel: latest.channel, sender: latest.number ?? "" };
}

interface WriterProps {
  readonly view: SimulatorView | null;
  readonly act: Act;
  readonly complain: (text: string) => void;
}

/** Simulates an inbound message. It starts at the latest message, until the user changes where from. */
export function Writer({ view, act, complain }: WriterProps) {
  const [source, setSource] = useState(START);
  const isChanged = useRef(false);
  const form = useRef<HTMLFieldSetElement>(null);
  const latest = view === null ? null : getLatest(view);
  useEffect(() => {
    const hasFocus = form.current?.contains(document.activeElement) === true;
    if (latest !== null && !isChanged.current && !hasFocus) setSource(latest);
  }, [latest?.channel, latest?.sender]);
  const change = (changes: Partial<Source>): void => {
    isChanged.current = true;
    setSource({ ...source, ...changes });
  };
  return (
    <fieldset ref={form}>
      <legend>{texts("simulator.write")}</legend>
      <div class="messaging-row">
        <Select
          label={texts("simulator.channel")}
          options={INBOUND_CHANNELS.map((each) => [each, texts(`channel.${each}`)])}
          value={source.channel}
          onChange={(channel) => change({ channel: channel as InboundChannel })}
        />
        <TextInput
          label={texts("simulator.sender")}
          value={source.sender}
          onInput={(sender) => change({ sender })}
        />
      </div>
      <Composer
        label={texts("simulator.text")}
        hasPicture={source.channel !== "sms"}
        complain={complain}
        onSend={(written) => act("write", { ...source, sender: source.sender.trim(), ...written })}
        onSent={() => {
          isChanged.current = false;
        }}
      />
    </fieldset>
  );
}
