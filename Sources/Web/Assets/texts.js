// Shows the text that each account gets of a post, as it is written.
"use strict";
(() => {
    const form = document.querySelector("form[data-texts]");
    // Offline there is nobody to ask.
    if (!form?.elements.form_token) return;
    let timer = 0;
    let asked = 0;
    const counts = (name) => ["caption", "content_warning"].includes(name) || name.startsWith("texts[");
    const preview = async () => {
        const number = ++asked;
        const fields = new URLSearchParams(
            [...new FormData(form)].filter(([name]) => name === "form_token" || counts(name)));
        const answer = await fetch(form.dataset.texts, { method: "POST", body: fields }).catch(() => null);
        // Without an answer nothing is shown that might be wrong; nor is an older one.
        if (number !== asked) return;
        const { texts } = answer?.ok ? await answer.json() : { texts: [] };
        for (const box of form.querySelectorAll("[type=checkbox][name=services]")) {
            const plan = texts.find((each) => each.account === box.value);
            const [count, cut] = ["[data-count]", "[data-cut]"].map((part) => box.parentElement.querySelector(part));
            count.textContent = plan ? plan.count : "";
            const shown = plan?.thread.length ? plan.thread : plan?.cut ? [plan.text] : [];
            cut.hidden = !shown.length;
            cut.replaceChildren(...shown.map((text) => {
                const post = document.createElement("span");
                post.textContent = text;
                return post;
            }));
        }
    };
    form.addEventListener("input", ({ target }) => {
        if (!counts(target.name)) return;
        clearTimeout(timer);
        timer = setTimeout(preview, 300);
    });
    if (form.elements.caption.value) preview();
})();
