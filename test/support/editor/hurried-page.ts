/** Node-RED waits so many ms at most until a dialog has moved. */
const LONGEST_PAUSE = 300;
const FACTOR = 10;

/**
 * Runs in a page before its scripts do, and leaves out what costs time and is not ours. Animations and transitions take no time there, and
 * nothing casts a shadow. While a dialog is in the page, the pauses in which the editor waits for it to move take a tenth; their order stays.
 * Under a dialog above another they stay as they are. The sidebars with facts and help about a node are not drawn for each dialog.
 */
export const HURRIED_PAGE = `(() => {
  const wait = window.setTimeout;
  const trays = document.getElementsByClassName("red-ui-tray");
  const crumbs = document.getElementsByClassName("red-ui-tray-breadcrumbs");
  const nested = () => crumbs[0]?.querySelector("li + li") != null;
  const moves = (ms) => ms <= ${LONGEST_PAUSE} && trays.length > 0 && !nested();
  window.setTimeout = (work, ms = 0, ...more) =>
    wait(work, moves(ms) ? ms / ${FACTOR} : ms, ...more);
  document.addEventListener("DOMContentLoaded", () => {
    const style = document.createElement("style");
    style.textContent = "*, ::before, ::after { animation: none !important; transition: none !important; box-shadow: none !important; }";
    document.head.append(style);
    const { info, help } = window.RED?.sidebar ?? {};
    if (info && help) info.refresh = help.show = () => {};
  });
})()`;
