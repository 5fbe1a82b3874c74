/** Elements by a short call. Styles go through the object model, which the Content-Security-Policy allows. */

export type Child = Node | string | number | null | undefined | false | readonly Child[];
type Value = string | number | boolean | null | undefined | EventListener;
export type Attributes = Readonly<Record<string, Value>>;

/** `h("button", { class: "plain", onclick: go }, "Simulate")`; what is null, undefined or false is left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  add(element, children);
  return element;
}

function set(element: Element, name: string, value: Value): void {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
  else element.setAttribute(name, value === true ? "" : String(value));
}

export function add(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (isList(child)) add(parent, child);
    else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child);
}

/** What an element holds from now on. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  add(parent, children);
}

/** Text changed only if it differs, so that a live region speaks when there is news. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

let last = 0;
/** An id that no other element has. */
export function freshId(prefix: string): string {
  last += 1;
  return `${prefix}-${last}`;
}
