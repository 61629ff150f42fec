// Keys, and the way back: a help to those who want them. Every page works without this file.
"use strict";

(() => {
  const NAME = "lamella-keys";
  const on = () => localStorage.getItem(NAME) !== "off";

  const made = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  const keys = [["/", "Search"], ["j", "Next item"], ["k", "Item before"], ["Enter", "Open the item"], ["?", "This help"]];
  const list = made("dl");
  for (const [key, meaning] of keys) {
    list.append(made("dt", {}, made("kbd", { textContent: key })), made("dd", { textContent: meaning }));
  }
  const choice = made("input", { type: "checkbox", checked: on() });
  choice.addEventListener("change", () => localStorage.setItem(NAME, choice.checked ? "on" : "off"));
  const close = made("button", { type: "button", textContent: "Close" });
  const heading = made("h2", { textContent: "Keys", id: "keys-heading" });
  const help = made("dialog", { className: "keys" }, heading, list, made("label", {}, choice, "Use these keys"), close);
  help.setAttribute("aria-labelledby", heading.id);
  close.addEventListener("click", () => help.close());
  document.body.append(help);

  const opener = made("button", { type: "button", textContent: "Keys" });
  opener.addEventListener("click", () => help.showModal());
  document.getElementById("keys").append(opener);

  const move = (step) => {
    const items = [...document.querySelectorAll("a.item")].filter((each) => each.checkVisibility());
    const place = items.indexOf(document.activeElement);
    const next = place < 0 ? (step > 0 ? 0 : items.length - 1) : place + step;
    items[next]?.focus();
  };

  // Where something was refused, Back leads to what was ticked or typed.
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
    if (!on() || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      const field = document.getElementById("q");
      if (field) { field.focus(); field.select(); } else { location.assign(`${document.querySelector("a.brand").href}#q`); }
    } else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "?") help.showModal();
    else return;
    event.preventDefault();
  });
})();
