// SPDX-License-Identifier: Apache-2.0

/** A part of the face that is not in the first JavaScript: asked for when somebody first looks, there at once from then on. */
export function later<Part>(load: () => Promise<{ default: Part }>): { readonly current: Part | undefined } {
  let part = $state.raw<Part | undefined>();
  let asked = false;
  return {
    get current() {
      if (!asked) {
        asked = true;
        load().then(
          (module) => (part = module.default),
          // Asked again by whoever looks next.
          () => (asked = false),
        );
      }
      return part;
    },
  };
}
