// Adds passkeys in the settings, and signs in with them. The answers of the authenticator go into the fields of a form, which is sent as any other.
"use strict";
(() => {
    const form = document.querySelector("[data-passkey]");
    const problem = form.querySelector("[data-problem]");
    if (!window.isSecureContext || !window.PublicKeyCredential) {
        for (const element of document.querySelectorAll("[data-no-passkeys]")) element.hidden = false;
        return;
    }
    const isSignIn = form.dataset.passkey === "sign-in";
    const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const text = (buffer) => (buffer ? btoa(String.fromCharCode(...new Uint8Array(buffer))) : "")
        .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

    const options = async () => {
        const answer = await fetch(form.dataset.options, { headers: { Accept: "application/json" }, cache: "no-store" });
        if (!answer.ok || answer.redirected) throw new Error(form.dataset.failed);
        return answer.json();
    };
    // What the browser offers by itself, and what a tap has asked for, may both be answered.
    let isSent = false;
    addEventListener("pageshow", () => { isSent = false; });
    const send = (fields) => {
        if (isSent) return;
        isSent = true;
        for (const [name, value] of Object.entries(fields)) form.elements[name].value = value;
        form.submit();
    };
    const fail = (error) => {
        // Who has closed the browser's window knows.
        if (error.name === "NotAllowedError" || error.name === "AbortError") return;
        problem.textContent = error.name === "InvalidStateError" ? form.dataset.known : form.dataset.failed;
        problem.hidden = false;
    };

    const add = async () => {
        const { challenge, site, user, known } = await options();
        const credential = await navigator.credentials.create({
            publicKey: {
                challenge: bytes(challenge), rp: { id: site, name: "Pics" },
                user: { id: bytes(user.id), name: user.name, displayName: user.name },
                pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
                excludeCredentials: known.map((id) => ({ type: "public-key", id: bytes(id) })),
                authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
                attestation: "none", timeout: 300000,
            },
        });
        send({
            client_data: text(credential.response.clientDataJSON),
            attestation_object: text(credential.response.attestationObject),
        });
    };

    // Browsers let one request wait at a time.
    let waiting = new AbortController();
    const signIn = async (mediation) => {
        waiting.abort();
        const own = waiting = new AbortController();
        const { challenge, site } = await options();
        if (own.signal.aborted) return;
        const credential = await navigator.credentials.get({
            mediation, signal: own.signal,
            publicKey: { challenge: bytes(challenge), rpId: site, userVerification: "required", timeout: 300000 },
        });
        send({
            id: text(credential.rawId), client_data: text(credential.response.clientDataJSON),
            authenticator_data: text(credential.response.authenticatorData),
            signature: text(credential.response.signature), user_handle: text(credential.response.userHandle),
        });
    };

    // Browsers that can offer passkeys in the field of the name. A challenge is good for ten minutes.
    let again = 0;
    const offer = async () => {
        clearTimeout(again);
        if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
        again = setTimeout(offer, 9 * 60 * 1000);
        // Nobody has asked for it: it fails in silence.
        await signIn("conditional").catch(() => {});
    };

    form.hidden = false;
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        problem.hidden = true;
        // What the page said of the last act.
        for (const notice of document.querySelectorAll("main > .notice")) notice.hidden = true;
        clearTimeout(again);
        if (!isSignIn) return add().catch(fail);
        signIn("optional").catch((error) => {
            fail(error);
            if (error.name !== "AbortError") offer();
        });
    });
    if (isSignIn) offer();
})();
