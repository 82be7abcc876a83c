// SPDX-License-Identifier: Apache-2.0
// Gives the pictures that an answer names a button that shows them.
import { mount, unmount } from "svelte";
import WebPicture from "./WebPicture.svelte";

/** Puts a button into each placeholder below `node`; gives back how to take them away again. */
export function pictures(node: HTMLElement): () => void {
  const mounted = [...node.querySelectorAll<HTMLElement>(".picture[data-picture]")].map((place) => {
    const box = document.createElement("span");
    box.className = "picture-box";
    place.append(box);
    return mount(WebPicture, {
      target: box,
      props: { url: place.dataset.picture!, alt: place.querySelector(".alt")?.textContent ?? "", onshown: (shown: boolean) => place.classList.toggle("shown", shown) },
    });
  });
  return () => {
    for (const each of mounted) void unmount(each);
  };
}
