// Keyboard shortcuts, live updates of a project, and the Back link. Every page also works without this file.
"use strict";

(() => {
  const NAME = "lamella-keys";
  const on = () => localStorage.getItem(NAME) !== "off";

  const made = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // Leave empty fields out of the URL.
  document.body.addEventListener("htmx:configRequest", ({ detail }) => {
    for (const [name, value] of Object.entries(detail.parameters)) if (value === "") delete detail.parameters[name];
  });

  // Only a visible page listens to changes, because a browser has few connections. Others reload when they become visible.
  let events;
  const listen = () => {
    const live = document.getElementById("live");
    events?.close();
    events = undefined;
    if (!live || document.hidden) return;
    events = new EventSource(live.dataset.events);
    events.addEventListener("changed", update);
  };
  const update = () => {
    const focused = document.activeElement?.closest("#live") ? document.activeElement.href : undefined;
    document.body.addEventListener("htmx:afterSettle", () => {
      if (focused) [...document.querySelectorAll("#live a")].find((each) => each.href === focused)?.focus();
    }, { once: true });
    htmx.trigger("#live", "changed");
  };
  document.addEventListener("visibilitychange", () => { if (!document.hidden && document.getElementById("live")) update(); listen(); });
  listen();

  const ticks = () => [...document.querySelectorAll("main input[type=checkbox][name=id]")];
  const tickAll = () => {
    const every = ticks().every((each) => each.checked);
    for (const each of ticks()) each.checked = !every;
  };
  const tick = () => {
    const box = document.activeElement.closest("li")?.querySelector("input[name=id]");
    if (box) box.checked = !box.checked;
  };
  // Each keystroke replaces the results, including this button.
  const offer = () => {
    const place = document.querySelector(".picks .ticked");
    if (!place || place.previousElementSibling) return;
    const all = made("button", { type: "button", className: "all", textContent: "Select all" });
    all.addEventListener("click", tickAll);
    place.before(all);
  };
  offer();
  document.body.addEventListener("htmx:load", offer);

  const move = (step) => {
    const items = [...document.querySelectorAll("a.item")].filter((each) => each.checkVisibility());
    const place = items.indexOf(document.activeElement);
    const next = place < 0 ? (step > 0 ? 0 : items.length - 1) : place + step;
    items[next]?.focus();
  };
  const go = (selector, place = "") => location.assign(`${document.querySelector(selector).href.split("#")[0]}${place}`);
  const seek = () => {
    const field = document.getElementById("q");
    if (field) { field.focus(); field.select(); } else go(".top .button.glyph", "#q");
  };

  const help = made("dialog", { className: "keys" });
  const keys = {
    "/": ["Search", seek],
    "n": ["New memory", () => go(".pages .new")],
    "j": ["Next item", () => move(1)],
    "k": ["Item before", () => move(-1)],
    "x": ["Tick the item, or untick it", tick],
    "a": ["Select all, or none", tickAll],
    "?": ["List the keys", () => help.showModal()],
  };
  const list = made("dl");
  for (const [key, [meaning]] of [...Object.entries(keys), ["Enter", ["Open the item"]]]) {
    list.append(made("dt", {}, made("kbd", { textContent: key })), made("dd", { textContent: meaning }));
  }
  const choice = made("input", { type: "checkbox", checked: on() });
  choice.addEventListener("change", () => localStorage.setItem(NAME, choice.checked ? "on" : "off"));
  const close = made("button", { type: "button", textContent: "Close" });
  const heading = made("h2", { textContent: "Keys", id: "keys-heading" });
  help.append(heading, list, made("label", {}, choice, "Use these keys"), close);
  help.setAttribute("aria-labelledby", heading.id);
  close.addEventListener("click", () => help.close());
  document.body.append(help);

  const opener = made("button", { type: "button", textContent: "Keys" });
  opener.addEventListener("click", () => help.showModal());
  document.getElementById("keys")?.append(opener);

  // The server ends when it is idle, and a new server has to admit this browser again. Typed text must survive both.
  const missed = () => fetch("/static/icon.svg", { cache: "no-store" }).then(
    (answer) => answer.ok ? "" : "lamella web was started again",
    () => `lamella web has stopped. Run: lamella web --port ${location.port}`,
  );
  let asked = Date.now();
  document.addEventListener("input", (event) => {
    if (!event.target.closest("form.stacked") || Date.now() - asked < 60_000) return;
    asked = Date.now();
    missed();
  });
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.querySelector("textarea")) return;
    if (form.dataset.reached) { delete form.dataset.reached; return; }
    event.preventDefault();
    const reason = await missed();
    if (!reason) {
      form.dataset.reached = "yes";
      form.requestSubmit(event.submitter);
      return;
    }
    const notice = form.querySelector(".wrong") ?? form.insertAdjacentElement("afterbegin", made("p", { className: "wrong" }));
    notice.setAttribute("role", "alert");
    notice.textContent = `${reason}. Your text is still here: open the link of lamella web in another tab, then press the button again.`;
  });

  // After an error page, Back leads to the form with its ticks and texts.
  document.querySelector("a.back")?.addEventListener("click", (event) => {
    if (history.length < 2) return;
    event.preventDefault();
    history.back();
  });

  const search = document.getElementById("q");
  if (search && location.hash === "#q") search.focus();
  search?.addEventListener("keydown", (event) => {
    if (!on()) return;
    if (event.key === "ArrowDown") { event.preventDefault(); move(1); }
    else if (event.key === "Escape" && !search.value) search.blur();
  });

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=checkbox]), textarea, select, dialog");
    if (!on() || typing || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    keys[event.key][1]();
    event.preventDefault();
  });
})();
