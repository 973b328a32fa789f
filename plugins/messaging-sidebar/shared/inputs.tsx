export type Options = readonly (readonly [value: string, text: string])[];

/** A select with Node-RED's style. Its tooltip has the whole text of the chosen option, which a narrow sidebar cuts. */
export function Select(props: {
  readonly label: string;
  readonly options: Options;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { label, options, value, onChange } = props;
  const chosen = options.find(([each]) => each === value)?.[1];
  return (
    <select
      class="messaging-select"
      aria-label={label}
      title={chosen === undefined ? label : `${label}: ${chosen}`}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A one-line input whose keys, such as Delete, do not act on the editor while the user types. */
export function TextInput(props: {
  readonly label: string;
  readonly value: string;
  readonly type?: "text" | "date" | "datetime-local";
  readonly onInput: (value: string) => void;
  readonly onEnter?: () => void;
}) {
  const { label, value, type = "text", onInput, onEnter } = props;
  return (
    <input
      {...(type === "text" ? { type, placeholder: label } : { type })}
      title={label}
      aria-label={label}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") onEnter?.();
      }}
    />
  );
}
