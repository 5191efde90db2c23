// Shows the chosen photo, and how much of it is sent. Without it the form is sent as any other.
"use strict";
(() => {
    const form = document.querySelector("[data-new]");
    if (!form) return;
    const file = form.elements.photo;
    const chosen = form.querySelector("[data-chosen]");
    const progress = form.querySelector("[data-progress]");
    const status = form.querySelector("[data-status]");
    const button = form.querySelector("button");

    file.addEventListener("change", () => {
        if (chosen.src) URL.revokeObjectURL(chosen.src);
        const picture = file.files[0]?.type.startsWith("image/") ? file.files[0] : null;
        chosen.hidden = !picture;
        if (picture) chosen.src = URL.createObjectURL(picture);
    });
    // What a browser cannot show, such as HEIC, is sent all the same.
    chosen.addEventListener("error", () => { chosen.hidden = true; });

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
