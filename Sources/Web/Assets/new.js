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
    const button = form.querySelector("form > button:last-of-type");

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

    // The text that each account gets, as it is written.
    let timer = 0;
    let asked = 0;
    const preview = async () => {
        const number = ++asked;
        const fields = new URLSearchParams({ form_token: form.elements.form_token.value, caption: form.elements.caption.value });
        const answer = await fetch(`${form.action}/texts`, { method: "POST", body: fields }).catch(() => null);
        // Without an answer nothing is shown that might be wrong; nor is an older one.
        if (number !== asked) return;
        const { texts } = answer?.ok ? await answer.json() : { texts: [] };
        for (const box of form.querySelectorAll("[type=checkbox][name=services]")) {
            const plan = texts.find((each) => each.account === box.value);
            const [count, cut] = ["[data-count]", "[data-cut]"].map((part) => box.parentElement.querySelector(part));
            count.textContent = plan ? plan.count : "";
            cut.hidden = !plan?.cut;
            cut.textContent = plan?.cut ? plan.text : "";
        }
    };
    form.elements.caption.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(preview, 300);
    });

    const tell = (text, isProblem) => {
        status.hidden = !text;
        status.className = isProblem ? "notice failed" : "";
        status.textContent = text;
    };

    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const request = new XMLHttpRequest();
        request.open("POST", form.action);
        request.responseType = "document";
        request.upload.onprogress = (sent) => {
            if (!sent.lengthComputable) return;
            progress.max = sent.total;
            progress.value = sent.loaded;
        };
        request.onload = () => {
            // The browser has followed the way on: that page is shown. A form that came back says what is wrong.
            const address = new URL(request.responseURL);
            if (request.status < 400 && address.pathname !== new URL(form.action).pathname) {
                location.assign(address.pathname + address.search);
                return;
            }
            end();
            const page = request.response;
            tell(page?.querySelector("[role=alert]")?.textContent || page?.querySelector("main")?.textContent.trim() || form.dataset.failed, true);
        };
        // The key stays: what has arrived after all is not posted twice.
        request.onerror = () => { end(); tell(form.dataset.failed, true); };
        const end = () => { progress.hidden = true; button.disabled = false; };
        progress.removeAttribute("value");
        progress.hidden = false;
        button.disabled = true;
        tell(form.dataset.sending, false);
        request.send(new FormData(form));
    });
})();
