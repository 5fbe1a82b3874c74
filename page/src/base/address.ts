/** The address holds the whole state: the fields of a claim under their names, and a few words of the page's own. */

export type Fields = Readonly<Record<string, string>>;

/** Words of the page itself, which are never fields of a claim. */
const OWN = new Set(["preset", "seeds", "seed", "view", "scope", "token", "pin", "run", "present", "tour", "axes"]);

export interface PageState {
  readonly fields: Fields;
  readonly own: Fields;
}

export function readState(search: string): PageState {
  const fields: Record<string, string> = {};
  const own: Record<string, string> = {};
  for (const [key, value] of new URLSearchParams(search)) {
    if (OWN.has(key)) own[key] = value;
    else fields[key] = value;
  }
  return { fields, own };
}

/** The query of a state; what equals its default is left out, so that an address stays short. */
export function writeState(state: PageState, defaults: Fields = {}): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(state.fields)) if (value !== defaults[key]) query.append(key, value);
  for (const [key, value] of Object.entries(state.own)) if (value !== "") query.append(key, value);
  const text = query.toString().replace(/%(28|29|2C|2A|3A|7E)/g, (code) => decodeURIComponent(code));
  return text ? `?${text}` : "";
}
