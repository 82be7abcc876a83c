// SPDX-License-Identifier: Apache-2.0
import { href, parse, type Route } from "./route";

let current = $state.raw<Route>(parse(location.hash));

addEventListener("hashchange", () => {
  current = parse(location.hash);
});

/** Where the person is. */
export const router = {
  get current(): Route {
    return current;
  },
  /** Goes to a place; `replace` leaves no step to go back to. */
  go(route: Route, options: { replace?: boolean } = {}): void {
    if (options.replace) history.replaceState(null, "", href(route));
    else if (location.hash !== href(route)) history.pushState(null, "", href(route));
    current = route;
  },
};
