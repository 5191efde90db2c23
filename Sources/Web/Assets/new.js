// Shows the chosen photos, lets them be ordered and described, and tells how much of them is sent. Without it the form is sent as any
// other.
"use strict";
(() => {
    const form = document.querySelector("[data-new]");
    if (!form) return;
    const input = form.elements.photo;
    const list = form.querySelector("[data-chosen]");
    const row = form.querySelector("[data-photo]");
    const progress = form.querySelector("[data-progress]");
    const status = form.querySelector("[data-status]");
    const buttons = form.querySelectorAll(".actions > button:not([type])");

    // The chosen photos in their order, each with its own words. The file input always has the files of the list.
    const files = new Map();
    form.querySelector("[data-description]").remove();
    const renew = () => {
        const chosen = new DataTransfer();
        for (const item of list.children) chosen.items.add(files.get(item));
        input.files = chosen.files;
        list.hidden = list.children.length === 0;
        const last = list.children.length - 1;
        [...list.children].forEach((item, place) => {
            item.querySelector("[data-up]").hidden = place === 0;
            item.querySelector("[data-down]").hidden = place === last;
        });
    };
    const add = (file) => {
        const item = row.content.firstElementChild.cloneNode(true);
        files.set(item, file);
        item.querySelector("[data-name]").textContent = file.name;
        const picture = item.querySelector("img");
        if (file.type.startsWith("image/")) {
            picture.hidden = false;
            picture.src = URL.createObjectURL(file);
            // What a browser cannot show, such as HEIC, is sent all the same.
            picture.addEventListener("error", () => { picture.hidden = true; });
        }
        const move = (button, neighbour, place) => item.querySelector(button).addEventListener("click", (event) => {
            item[neighbour]?.[place](item);
            renew();
            event.target.focus();
        });
        move("[data-up]", "previousElementSibling", "before");
        move("[data-down]", "nextElementSibling", "after");
        item.querySelector("[data-remove]").addEventListener("click", () => {
            if (picture.src) URL.revokeObjectURL(picture.src);
            files.delete(item);
            item.remove();
            renew();
            input.focus();
        });
        list.append(item);
    };
    input.addEventListener("change", () => {
        for (const file of input.files) add(file);
        renew();
    });

    const tell = (text, isProblem) => {
        status.hidden = !text;
        status.className = isProblem ? "notice failed" : "";
        status.textContent = text;
    };

    // Sends a form, and tells how much of it is sent. The key stays: what has arrived after all is not posted twice.
    const byRequest = (fields) => new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open("POST", form.action);
        request.setRequestHeader("Accept", "application/json");
        request.upload.onprogress = (sent) => {
            if (!sent.lengthComputable) return;
            progress.max = sent.total;
            progress.value = sent.loaded;
        };
        request.onload = () => resolve(new Response(request.response, { status: request.status }));
        request.onerror = () => reject(new Error("network"));
        request.send(fields);
    });
    const disable = (isDisabled) => { for (const button of buttons) button.disabled = isDisabled; };
    const end = () => { progress.hidden = true; disable(false); };
    const fail = (problem) => { end(); tell(problem || form.dataset.failed, true); };

    // From this page alone, where nothing can be kept.
    const sendNow = async (fields) => {
        const answer = await byRequest(fields).catch(() => null);
        const { next, problem } = await answer?.json().catch(() => null) ?? {};
        if (answer?.ok) location.assign(next ?? "/"); else fail(problem);
    };

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        const fields = new FormData(form, event.submitter);
        progress.removeAttribute("value");
        progress.hidden = false;
        disable(true);
        tell(form.dataset.sending, false);
        if (!outbox.isUsable) return sendNow(fields);
        const key = fields.get("key");
        const words = [...fields].filter(([name]) => !["photo", "key", "form_token"].includes(name));
        const user = document.querySelector("[data-user]")?.dataset.user ?? await outbox.user();
        try {
            await outbox.put({ key, user, state: "waiting", at: Date.now(), fields: words, files: fields.getAll("photo") });
        } catch {
            // The device is full.
            return sendNow(fields);
        }
        navigator.storage?.persist?.();
        navigator.serviceWorker.ready.then((worker) => worker.sync?.register("outbox")).catch(() => {});
        const { needsLogin, next } = await outbox.send((sending, bytes, total) => {
            if (sending !== key) return;
            progress.max = total;
            progress.value = bytes;
        });
        const kept = await outbox.get(key);
        if (kept?.state === "failed") {
            await outbox.remove(key);
            fail(kept.problem);
        } else {
            location.assign(needsLogin ? "/login" : kept ? "/" : next ?? "/?done=posted");
        }
    });

    // A draft of this device, such as photos that another app has shared.
    const draft = new URLSearchParams(location.search).get("draft");
    if (!form.elements.key.value) form.elements.key.value = globalThis.crypto?.randomUUID?.() ?? "";
    if (draft && outbox.isUsable) {
        outbox.edit(draft).then((post) => {
            if (!post) return;
            form.elements.key.value = post.key;
            post.files.forEach(add);
            const words = post.fields.filter(([name]) => name === "alt_text");
            list.querySelectorAll("textarea").forEach((text, place) => { text.value = words[place]?.[1] ?? ""; });
            renew();
            for (const [name, value] of post.fields) {
                const field = form.elements[name];
                if (["alt_text", "services", "draft"].includes(name) || !field || !("value" in field)) continue;
                if (field.type === "checkbox") field.checked = value === field.value; else field.value = value;
            }
            const services = post.fields.filter(([name]) => name === "services").map(([, value]) => value);
            if (services.length > 0) {
                for (const box of form.querySelectorAll("[type=checkbox][name=services]")) box.checked = services.includes(box.value);
            }
        });
    }
})();
