// SPDX-License-Identifier: Apache-2.0
/// <reference types="svelte" />
/// <reference types="vite/client" />
