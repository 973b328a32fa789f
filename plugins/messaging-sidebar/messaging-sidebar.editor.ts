import { MODULE, catalogueTexts } from "../../lib/editor/dialog/texts";
import { openOnce } from "./first-steps/open-once";
import { showImported } from "./first-steps/show-imported";
import { VIEW_IDS, type ViewId } from "./view-ids";

const TAB = "messaging-sidebar";
const CODE = `resources/${MODULE}/sidebar.js`;
const getAction = (view: ViewId): string => `messaging:show-${view}-tab`;

interface Code {
  mount(root: HTMLElement): (view: ViewId) => void;
}

/** Adds the tab. The code of its views is loaded when it is first visible. */
function addTab(): void {
  const content = document.createElement("div");
  content.className = TAB;
  let wanted: ViewId = "history";
  let choose: ((view: ViewId) => void) | null = null;
  const load = async (): Promise<void> => {
    const code = (await import(new URL(CODE, document.baseURI).href)) as Code;
    choose = code.mount(content);
    choose(wanted);
  };
  const show = (view: ViewId): void => {
    wanted = view;
    RED.sidebar.show(TAB);
    choose?.(view);
  };
  for (const view of VIEW_IDS) {
    RED.actions.add(getAction(view), () => show(view));
  }
  const texts = catalogueTexts(TAB);
  RED.sidebar.addTab({
    id: TAB,
    label: texts("tab"),
    name: texts("name"),
    iconClass: "fa fa-commenting-o",
    content,
    enableOnEdit: true,
    action: getAction("history"),
  });
  const observer = new IntersectionObserver((seen) => {
    if (seen.some(({ isIntersecting }) => isIntersecting)) {
      observer.disconnect();
      void load();
    }
  });
  observer.observe(content);
  openOnce(() => show("history"));
}

RED.plugins.registerPlugin("messaging-sidebar", {
  onadd() {
    addTab();
    showImported();
  },
});
