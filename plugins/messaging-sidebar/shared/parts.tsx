import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { channelIcon, channelName, longTime, shortTime, texts, type Tone } from "./format";
import type { Said } from "./use-said";

interface Children {
  readonly children?: ComponentChildren;
}

/** An icon of Font Awesome, by its name without `fa-`; hidden from screen readers. */
export const Icon = ({ name }: { readonly name: string }) => <i class={`fa fa-${name}`} aria-hidden="true" />;

/** A small button of Node-RED with a text, or an icon and a tooltip. */
export function Button(props: {
  readonly icon?: string;
  readonly text?: string;
  readonly tip?: string;
  readonly disabled?: boolean;
  readonly class?: string;
  readonly onPress: () => void;
}) {
  const { icon, text, tip, disabled = false, onPress } = props;
  return (
    <button
      type="button"
      class={`red-ui-button red-ui-button-small ${props.class ?? ""}`.trimEnd()}
      title={tip}
      aria-label={text === undefined ? tip : undefined}
      disabled={disabled}
      onClick={onPress}
    >
      {icon && <Icon name={icon} />}
      {icon && text && " "}
      {text}
    </button>
  );
}

export const Dot = ({ tone }: { readonly tone: Tone }) => <i class={`messaging-dot messaging-${tone}`} />;

export const Line = ({ children }: Children) => <div class="messaging-line">{children}</div>;

export const Quiet = ({ children }: Children) => <div class="messaging-quiet">{children}</div>;

/** A time with the date in its tooltip. @param at ISO 8601 */
export const Time = ({ at }: { readonly at: string }) => (
  <span class="messaging-time" title={longTime(at)}>
    {shortTime(at)}
  </span>
);

export const ChannelSign = ({ channel }: { readonly channel: string }) => (
  <span class="messaging-channel" title={channelName(channel)}>
    <Icon name={channelIcon(channel)} />
  </span>
);

export const Simulated = () => <span class="messaging-simulated">{texts("simulated")}</span>;

/** A bar that shows how much is done. @param label for screen readers */
export function ProgressBar({ done, total, label }: Record<"done" | "total", number> & { label: string }) {
  const share = total === 0 ? 100 : (done / total) * 100;
  return (
    <div class="messaging-track" role="progressbar" aria-valuenow={Math.floor(share)} aria-label={label}>
      <span style={{ width: `${share.toFixed(1)}%` }} />
    </div>
  );
}

/** Names with their values, without those that are null. */
export const Facts = ({ rows }: { readonly rows: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl>
    {rows.map(
      ([name, value]) =>
        value !== null && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);

/** A line for a result or a failure, which screen readers read out. */
export const Notice = ({ said, role = "status" }: { readonly said: Said; role?: "status" | "alert" }) => (
  <div
    class={`messaging-notice${said.isWrong ? " messaging-wrong" : ""}`}
    role={role}
    hidden={said.text === ""}
  >
    {said.text}
  </div>
);

/** A part that the user opens; closed at first. @param children makes the content while it is open */
export function Fold(props: {
  readonly head: ComponentChildren;
  readonly class?: string;
  readonly onOpen?: () => void;
  readonly children: () => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const toggle = (event: Event): void => {
    event.preventDefault();
    setOpen(!isOpen);
  };
  return (
    <details class={`messaging-fold ${props.class ?? ""}`.trimEnd()} open={isOpen}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: A summary is a button. */}
      <summary onClick={toggle}>{props.head}</summary>
      {isOpen && props.children()}
    </details>
  );
}
