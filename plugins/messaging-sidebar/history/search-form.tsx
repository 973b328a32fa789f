import { SHOWN_OUTCOMES } from "../../../lib/shared/outcomes";
import { texts } from "../shared/format";
import { Select, TextInput } from "../shared/inputs";
import { getSenders } from "../shared/nodes";
import { Button } from "../shared/parts";
import { RANGES, type Search, SEARCHED } from "./search";

interface SearchFormProps {
  readonly account: string;
  readonly search: Search;
  /** Something else is typed. */
  readonly onType: (search: Search) => void;
  /** The search starts. */
  readonly onSearch: (search: Search) => void;
}

export function SearchForm({ account, search, onType, onSearch }: SearchFormProps) {
  const change = (changes: Partial<Search>): void => onSearch({ ...search, ...changes });
  const changeKind = (by: string): void => {
    const changed = { ...search, by: by as Search["by"] };
    (search.text.trim() === "" ? onType : onSearch)(changed);
  };
  const time = (end: "from" | "to") => (
    <TextInput
      type="datetime-local"
      label={texts(`history.${end}`)}
      value={search[end]}
      onInput={(value) => change({ [end]: value })}
      onEnter={() => onSearch(search)}
    />
  );
  return (
    <div class="messaging-form">
      <div class="messaging-row">
        <Select
          label={texts("history.by")}
          options={SEARCHED.map((each) => [each, texts(`history.searched.${each}`)])}
          value={search.by}
          onChange={changeKind}
        />
        <TextInput
          label={texts(`history.text.${search.by}`)}
          value={search.text}
          onInput={(text) => onType({ ...search, text })}
          onEnter={() => onSearch(search)}
        />
        <Button icon="search" tip={texts("history.search")} onPress={() => onSearch(search)} />
      </div>
      <div class="messaging-row">
        <Select
          label={texts("history.outcome")}
          options={[
            ["", texts("history.anyOutcome")],
            ...SHOWN_OUTCOMES.map((each) => [each, texts(`result.${each}`)] as const),
          ]}
          value={search.outcome}
          onChange={(outcome) => change({ outcome: outcome as Search["outcome"] })}
        />
        <Select
          label={texts("history.node")}
          options={[["", texts("history.anyNode")], ...getSenders(account)]}
          value={search.node}
          onChange={(node) => change({ node })}
        />
        <Select
          label={texts("history.time")}
          options={RANGES.map((each) => [each, texts(`history.range.${each}`)])}
          value={search.range}
          onChange={(range) => change({ range: range as Search["range"] })}
        />
      </div>
      {search.range === "between" && (
        <div class="messaging-row messaging-between">
          {time("from")}
          {time("to")}
        </div>
      )}
    </div>
  );
}
