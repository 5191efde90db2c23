// Takes the browser's time zone at joining, and offers it where another one is chosen.
"use strict";
(() => {
    const select = document.querySelector("[data-zone]");
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const universal = ["UTC", "GMT", "Etc/UTC", "Etc/GMT"];
    const isSame = (one, other) => one === other || (universal.includes(one) && universal.includes(other));
    if (!select || isSame(select.value, own) || ![...select.options].some((option) => option.value === own)) return;
    if (select.dataset.zone === "guess") {
        select.value = own;
        return;
    }
    const offer = document.querySelector("[data-offer]");
    offer.querySelector("[data-place]").textContent = own;
    offer.querySelector("[data-use]").addEventListener("click", () => {
        select.value = own;
        select.form.requestSubmit();
    });
    offer.hidden = false;
})();
