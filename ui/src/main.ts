// SPDX-License-Identifier: Apache-2.0
import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { recallLook } from "$lib/state/look";

recallLook();
mount(App, { target: document.getElementById("app")! });
