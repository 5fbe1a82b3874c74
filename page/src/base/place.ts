/** Where the page is: the address of the browser, or a state inside a tour. */

export interface Place {
  readonly path: string;
  search(): string;
  /** The state changed without a step in the history. */
  replace(search: string): void;
  /** The state changed, and the way back leads to the one before. */
  push(search: string): void;
}

/** A page that is shown: its element, and what to do when it is left. */
export interface Shown {
  readonly element: HTMLElement;
  readonly title: string;
  end(): void;
}

export type Page = (place: Place) => Promise<Shown>;

/** Browsers limit how often the address may change: a dragged slider writes it when it rests. */
const REST = 200;

export function browserPlace(): Place {
  let timer = 0;
  const path = location.pathname;
  return {
    path,
    search: () => location.search,
    replace(search) {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (location.pathname === path) history.replaceState(history.state, "", path + search);
      }, REST);
    },
    push(search) {
      clearTimeout(timer);
      if (path + search !== location.pathname + location.search) history.pushState(null, "", path + search);
    },
  };
}

/** A state that is not in the address. */
export function innerPlace(address: string): Place {
  const url = new URL(address, location.origin);
  let search = url.search;
  return {
    path: url.pathname,
    search: () => search,
    replace(next) {
      search = next;
    },
    push(next) {
      search = next;
    },
  };
}

/** Go to another page of the lab. */
export function go(address: string): void {
  history.pushState(null, "", address);
  window.dispatchEvent(new PopStateEvent("popstate"));
}
