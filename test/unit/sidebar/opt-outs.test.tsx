import assert from "node:assert/strict";
import { type OptOutRow, READ_OPT_OUTS, WRITE_OPT_OUTS } from "../../../lib/shared/opt-outs";
import { useSidebar } from "../../support/sidebar/sidebar-page";

const ANNA = "+41790000001";
const BEAT = "+41790000002";
const entry = (number: string): OptOutRow => ({
  ...{ number, scope: "advertisement", source: "sidebar", since: new Date(0).toISOString() },
});

describe("Opt-outs", () => {
  const { page } = useSidebar();
  let list: readonly OptOutRow[] = [];
  const show = (handlers: Parameters<ReturnType<typeof page>["show"]>[1] = {}): Promise<void> =>
    page().show("opt-outs", {
      "opt-outs/count": () => ({ count: list.length, memory: false }),
      "opt-outs/list": () => ({ entries: list, next: "" }),
      "opt-outs/find": ({ number }: { number: string }) =>
        number === "Ada"
          ? { error: "number" }
          : { number: BEAT, entry: list.find((each) => each.number === BEAT) ?? null },
      "opt-outs/add": ({ number }: { number: string }) => {
        list = [entry(number)];
        return { number, changed: true };
      },
      "opt-outs/remove": ({ number }: { number: string }) => {
        list = list.filter((each) => each.number !== number);
        return { number, changed: true };
      },
      ...handlers,
    });
  const numbers = () => page().texts(".messaging-number");

  beforeEach(() => {
    list = [];
  });

  it("lists numbers with scope and source, and finds one", async () => {
    list = [entry(ANNA), entry(BEAT)];
    await show();
    await page().sees("2 numbers have opted out");
    assert.deepEqual(numbers(), [ANNA, BEAT]);
    assert.match(page().texts(".messaging-opt-out")[0] ?? "", /advertisement only · in the sidebar · /);
    await page().type("phone number", "079 000 00 02", "Enter");
    await page().until(() => numbers().length === 1);
    list = [entry(ANNA)];
    await page().press("Search; without a number show all");
    await page().sees(`${BEAT} is not in the list.`);
    await page().type("phone number", "Ada", "Enter");
    await page().sees("This is not a phone number.");
  });

  it("adds a number once when it is pressed twice, and leaves what is typed in between", async () => {
    let release = (_done: object): void => {};
    const held = new Promise((resolve) => {
      release = resolve;
    });
    await show({ "opt-outs/add": () => held });
    await page().sees("Nobody has opted out");
    assert.equal((page().named("Add") as HTMLButtonElement).disabled, true, "without a number");
    await page().type("phone number", ANNA);
    await page().press("Add");
    await page().press("Add");
    await page().type("phone number", "Ada");
    release({ number: ANNA, changed: true });
    await page().sees(`Added: ${ANNA}.`);
    assert.deepEqual(page().runtime.inputsOf("opt-outs/add"), [{ number: ANNA, scope: "all" }]);
    assert.equal(page().input("phone number").value, "Ada");
  });

  it("takes a number off the list only after a question", async () => {
    list = [entry(ANNA)];
    await show();
    await page().sees("1 number has opted out");
    await page().press(`Take ${ANNA} off the list`);
    page().editor.questions[0]?.press(0);
    assert.deepEqual(page().runtime.inputsOf("opt-outs/remove"), []);
    await page().press(`Take ${ANNA} off the list`);
    assert.match(page().editor.questions[1]?.html ?? "", /A shop/);
    page().editor.questions[1]?.press(1);
    await page().sees(`Taken off: ${ANNA}.`);
    await page().sees("Nobody has opted out");
  });

  it("shows HTML in the name of an account as text", async () => {
    page().editor.nodes = [{ id: "shop", type: "messaging-account", name: "<img src=x>" }];
    list = [entry(ANNA)];
    await show({ "opt-outs/count": () => ({ count: 1, memory: true }) });
    await page().sees("The account “<img src=x>” keeps messages in memory only");
    await page().press(`Take ${ANNA} off the list`);
    assert.match(page().editor.questions[0]?.html ?? "", /“&lt;img src=x&gt;”/);
    assert.deepEqual(page().all("img"), []);
  });

  it("shows the next page", async () => {
    list = [entry(ANNA), entry(BEAT)];
    await show({
      "opt-outs/list": ({ after }: { after: string }) =>
        after === "" ? { entries: [entry(ANNA)], next: "1" } : { entries: [entry(BEAT)], next: "" },
    });
    await page().sees("Show more");
    await page().press("Show more");
    await page().until(() => numbers().length === 2);
    assert.throws(() => page().named("Show more"));
  });

  it("lets a user without permission see only how many there are", async () => {
    page().editor.denied = [READ_OPT_OUTS, WRITE_OPT_OUTS];
    list = [entry(ANNA)];
    await show();
    await page().sees("1 number has opted out");
    await page().sees("You need the permission messaging-opt-outs.read");
    await page().type("phone number", ANNA);
    assert.equal((page().named("Add") as HTMLButtonElement).disabled, true);
    assert.deepEqual(page().runtime.inputsOf("opt-outs/list"), []);
  });
});
