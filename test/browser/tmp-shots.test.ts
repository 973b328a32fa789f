import { EditorPage } from "../support/editor/editor";
import { EMPTY_TAB, onEachEditor } from "../support/editor/on-each-editor";
const out = "/tmp/shots";
let n = 0;
onEachEditor(
  "shots",
  (bench) => {
    for (const locale of ["en-US", "de"])
      for (const dark of [false, true])
        it(`shots ${locale} ${dark}`, async function () {
          this.timeout(120000);
          const browser = bench.editor.page.context().browser()!;
          const ed = await EditorPage.open(browser, bench.nodeRed.url, { locale, dark, hurried: true });
          for (const id of ["sms"]) {
            await ed.page.evaluate(`RED.editor.edit(RED.nodes.node("${id}"))`);
            await ed.opened();
            await ed.page.evaluate(`$("#dialog-form details").removeAttr("open")`);
            if (dark) await ed.page.evaluate(`$("#dialog-form details").attr("open", "")`);
            else await ed.page.evaluate(`$(".messaging-rules-within").closest("details").attr("open", "")`);
            await ed.page.evaluate(`document.querySelector(".messaging-rules-memory").scrollIntoView()`);
            await ed.page
              .locator(".messaging-rules-within")
              .catch(() => {});
            await ed.page
              .locator(".red-ui-tray")
              .screenshot({
                path: `${out}/${this.test!.parent!.title.replace(/\W+/g, "-")}-${bench.nodeRed.url.split(":").pop()}-${id}-${locale}-${dark}.png`,
              });
            await ed.cancel();
          }
          await ed.page.context().close();
        });
  },
  {
    flows: [
      EMPTY_TAB,
      { id: "acc", type: "messaging-account", service: "simulator" },
      {
        id: "sms",
        type: "sms-send",
        z: "tab",
        x: 200,
        y: 100,
        account: "acc",
        outputs: 4,
        wires: [[], [], [], []],
        recipientAddressList: "to",
        recipientAddressListSource: "msg",
        messageContent: "payload",
        messageContentSource: "msg",
        onceKey: "payload.invoice",
        onceKeySource: "msg",
        onceWithin: "24h",
        notBefore: "20:15",
        notBeforeSource: "str",
        uselessAfter: "5 min",
        uselessAfterSource: "str",
        alsoOptedOut: true,
        anyHour: false,
      },
      {
        id: "wa",
        type: "whatsapp-send",
        z: "tab",
        x: 200,
        y: 200,
        account: "acc",
        outputs: 4,
        wires: [[], [], [], []],
        kind: "text",
        recipients: "to",
        recipientsSource: "msg",
        content: "payload",
        contentSource: "msg",
      },
    ],
  },
);
