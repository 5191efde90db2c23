// Shows the chosen photos, lets them be ordered, described and edited, and sends them in parts while the words are written. Without it
// the form is sent as any other.
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
    form.querySelector("[data-description]").remove();
    form.querySelector("[data-edits]").remove();

    // What is known of a chosen photo, by its row: the file, and the identifier of its upload, which may be complete.
    const photos = new Map();
    // The file input always has the files of the list.
    const renew = () => {
        const chosen = new DataTransfer();
        for (const item of list.children) chosen.items.add(photos.get(item).file);
        input.files = chosen.files;
        list.hidden = list.children.length === 0;
        const last = list.children.length - 1;
        [...list.children].forEach((item, place) => {
            item.querySelector("[data-up]").hidden = place === 0;
            item.querySelector("[data-down]").hidden = place === last;
        });
    };
    const tell = (text, isProblem) => {
        status.hidden = !text;
        status.className = isProblem ? "notice failed" : "";
        status.textContent = text;
    };

    // Uploads while the words are written: one file after the other, until the form is sent.
    let session = null;
    let isSending = false;
    let uploading = null;
    const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
    const showSent = (item, bytes) => {
        const { file } = photos.get(item);
        const bar = item.querySelector("[data-sent]");
        [bar.hidden, bar.max, bar.value] = [bytes === file.size, file.size, bytes];
        item.querySelector("[data-bytes]").textContent = bytes === file.size
            ? `${megabytes(file.size)} MB ✓` : `${megabytes(bytes)} / ${megabytes(file.size)} MB`;
    };
    const isLeft = (item) => !photos.get(item).isComplete && !photos.get(item).isRefused;
    const isWanted = (item) => item.isConnected && !isSending;
    const uploadOne = async (item) => {
        const photo = photos.get(item);
        const answer = await outbox.upload(photo.file, photo.upload, session, (id) => { photo.upload = id; }, (bytes) => {
            showSent(item, bytes);
            return isWanted(item);
        });
        if (answer.isComplete) {
            photo.isComplete = true;
            showSent(item, photo.file.size);
            showPicture(item);
        } else if (answer.json.problem) {
            photo.isRefused = true;
            item.querySelector("[data-bytes]").textContent = answer.json.problem;
        }
    };
    const uploadAll = async () => {
        session ??= (await outbox.session())?.json ?? null;
        // Nor as somebody who has signed in elsewhere meanwhile.
        if (!session?.form_token || session.user !== await outbox.user()) {
            session = null;
            return;
        }
        for (;;) {
            const item = [...list.children].find(isLeft);
            if (!item || isSending) return;
            await uploadOne(item);
        }
    };
    // A break is followed by another try; the photos are sent with the form at the latest.
    const uploadEarly = () => {
        if (isSending) return;
        uploading ??= uploadAll().catch(() => {}).finally(() => {
            uploading = null;
            if ([...list.children].some(isLeft) && !isSending) setTimeout(uploadEarly, 5000);
        });
    };

    // The picture of a photo as it is edited: made by the server once it has the file.
    const pictureAddress = (photo) => (photo.isComplete ? `/new/uploads/${photo.upload}/picture` : null);
    const showPicture = async (item) => {
        const photo = photos.get(item);
        const picture = item.querySelector("img");
        const { edits } = photo;
        if (photo.isComplete && (edits || picture.hidden)) {
            picture.src = `${pictureAddress(photo)}?${edits}`;
        } else if (edits) {
            const bitmap = await pictureEditor.read(photo.file);
            if (!bitmap || photo.edits !== edits) return;
            const canvas = document.createElement("canvas");
            pictureEditor.sketch(canvas, bitmap, new URLSearchParams(edits), true);
            canvas.toBlob((blob) => { if (blob && photo.edits === edits) picture.src = URL.createObjectURL(blob); }, "image/jpeg");
        } else if (photo.file.type.startsWith("image/")) {
            picture.src = URL.createObjectURL(photo.file);
        } else return;
        picture.hidden = false;
    };

    // The dialog in which a picture is edited.
    const dialog = document.querySelector("[data-editing]");
    const editor = pictureEditor.create(dialog.querySelector("[data-editor]"));
    let edited = null;
    const edit = async (item) => {
        edited = item;
        const photo = photos.get(item);
        dialog.showModal();
        uploadEarly();
        const bitmap = await pictureEditor.read(photo.file);
        if (edited === item) editor.open({ bitmap, address: () => pictureAddress(photo), edits: photo.edits });
    };
    dialog.querySelector("[data-reset]").addEventListener("click", editor.reset);
    dialog.querySelector("form").addEventListener("submit", (event) => {
        event.preventDefault();
        setEdits(edited, editor.edits);
        dialog.close();
    });
    dialog.addEventListener("close", () => {
        edited?.querySelector("[data-edit]").focus();
        edited = null;
    });
    const setEdits = (item, edits) => {
        photos.get(item).edits = edits;
        item.querySelector("[name=edits]").value = edits;
        showPicture(item);
    };

    const add = (file, { upload = null, edits = "", words = "" } = {}) => {
        const item = row.content.firstElementChild.cloneNode(true);
        photos.set(item, { file, upload, edits: "", isComplete: false });
        item.querySelector("[data-name]").textContent = file.name;
        item.querySelector("textarea").value = words;
        const picture = item.querySelector("img");
        // What a browser cannot show, such as HEIC, is shown once the server has it.
        picture.addEventListener("error", () => { picture.hidden = true; });
        picture.addEventListener("load", () => { if (picture.src.startsWith("blob:")) URL.revokeObjectURL(picture.src); });
        const move = (button, neighbour, place) => item.querySelector(button).addEventListener("click", (event) => {
            item[neighbour]?.[place](item);
            renew();
            event.target.focus();
        });
        move("[data-up]", "previousElementSibling", "before");
        move("[data-down]", "nextElementSibling", "after");
        const editing = item.querySelector("[data-edit]");
        editing.hidden = file.type.startsWith("video/");
        editing.addEventListener("click", () => edit(item));
        item.querySelector("[data-remove]").addEventListener("click", () => {
            item.remove();
            photos.delete(item);
            renew();
            input.focus();
        });
        list.append(item);
        setEdits(item, edits);
    };
    input.addEventListener("change", () => {
        for (const file of input.files) add(file);
        renew();
        uploadEarly();
    });

    const locate = form.querySelector("[data-locate]");
    locate.hidden = !globalThis.isSecureContext || !navigator.geolocation;
    locate.addEventListener("click", () => {
        locate.disabled = true;
        tell(locate.dataset.locating, false);
        const end = (text) => {
            locate.disabled = false;
            tell(text, true);
        };
        navigator.geolocation.getCurrentPosition(({ coords }) => {
            // Five digits are a metre.
            form.elements.location.value = `${coords.latitude.toFixed(5)}, ${coords.longitude.toFixed(5)}`;
            end("");
        }, () => end(locate.dataset.unlocated), { enableHighAccuracy: true, timeout: 20_000, maximumAge: 60_000 });
    });

    const disable = (isDisabled) => { for (const button of buttons) button.disabled = isDisabled; };
    const fail = (problem) => {
        progress.hidden = true;
        isSending = false;
        disable(false);
        tell(problem || form.dataset.failed, true);
    };
    const showProgress = (bytes, total) => {
        progress.max = total;
        progress.value = bytes;
    };

    // From this page alone, where nothing can be kept. The key stays: what has arrived after all is not posted twice.
    const sendNow = async (post) => {
        const known = await outbox.session();
        if (known?.status === 401) return location.assign("/login");
        const keep = async (members) => { Object.assign(post, members); };
        const isTheirs = known?.ok && known.json.user === post.user;
        const answer = isTheirs ? await outbox.deliver(post, known.json, keep, showProgress).catch(() => null) : null;
        if (answer?.ok) location.assign(answer.json.next ?? "/"); else fail(answer?.json.problem);
    };

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        const fields = new FormData(form, event.submitter);
        progress.removeAttribute("value");
        progress.hidden = false;
        disable(true);
        tell(form.dataset.sending, false);
        isSending = true;
        // The part that is under way ends first.
        await uploading;
        const key = fields.get("key");
        const words = [...fields].filter(([name]) => !["photo", "key", "form_token"].includes(name));
        const user = await outbox.user();
        const chosen = [...list.children].map((item) => photos.get(item));
        const post = {
            key, user, state: "waiting", at: Date.now(), fields: words, files: chosen.map(({ file }) => file),
            uploads: chosen.map(({ upload }) => upload),
        };
        if (!outbox.isUsable) return sendNow(post);
        try {
            await outbox.put(post);
        } catch {
            // The device is full.
            return sendNow(post);
        }
        navigator.storage?.persist?.();
        navigator.serviceWorker.ready.then((worker) => worker.sync?.register("outbox")).catch(() => {});
        const { needsLogin, next } = await outbox.send((sending, bytes, total) => { if (sending === key) showProgress(bytes, total); });
        const kept = await outbox.get(key);
        if (kept?.state === "failed") {
            await outbox.remove(key);
            fail(kept.problem);
        } else {
            location.assign(needsLogin || !user ? "/login" : kept ? "/" : next ?? "/?done=posted");
        }
    });

    // A draft of this device, such as photos that another app has shared.
    const draft = new URLSearchParams(location.search).get("draft");
    if (!form.elements.key.value) form.elements.key.value = globalThis.crypto?.randomUUID?.() ?? "";
    if (draft && outbox.isUsable) {
        outbox.edit(draft).then((post) => {
            if (!post) return;
            form.elements.key.value = post.key;
            const [words, edits] = ["alt_text", "edits"].map(
                (wanted) => post.fields.filter(([name]) => name === wanted).map(([, value]) => value));
            post.files.forEach((file, place) => {
                add(file, { upload: post.uploads?.[place], edits: edits[place], words: words[place] });
            });
            renew();
            // Any site can share photos: they go up once a person does something with them.
            if (post.user && post.uploads?.length) uploadEarly(); else form.addEventListener("input", uploadEarly, { once: true });
            for (const [name, value] of post.fields) {
                const field = form.elements[name];
                if (["alt_text", "edits", "services", "draft"].includes(name) || !field || !("value" in field)) continue;
                if (field.type === "checkbox") field.checked = value === field.value; else field.value = value;
            }
            const services = post.fields.filter(([name]) => name === "services").map(([, value]) => value);
            if (services.length > 0) {
                for (const box of form.querySelectorAll("[type=checkbox][name=services]")) box.checked = services.includes(box.value);
            }
        });
    }
})();
