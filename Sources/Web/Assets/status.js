// Renews the status page, and that of an import, every 15 seconds while it is visible and not in use. A checkbox turns that off (WCAG 2.2, 2.2.1 and
// 2.2.2). If the server does not answer, the page is reloaded, so that no stale page says that all is well.
'use strict';
(() => {
    const choice = document.querySelector('[data-refresh]');
    const box = choice.querySelector('input');
    choice.hidden = false;
    const isBusy = () => {
        const live = document.querySelector('[data-live]');
        return document.hidden || !box.checked || live.contains(document.activeElement)
            || !getSelection().isCollapsed || live.querySelector('details[open]') !== null;
    };
    /** The page as it is now, as a document whose scripts do not run. */
    const load = () => new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open('GET', location.pathname);
        request.setRequestHeader('Accept', 'text/html');
        request.responseType = 'document';
        request.onloadend = () => (request.status === 200 ? resolve(request.response) : reject(request.status));
        request.send();
    });
    const refresh = async () => {
        if (isBusy()) return;
        try {
            const live = (await load()).querySelector('[data-live]');
            if (isBusy()) return;
            if (live === null) location.replace(location.pathname);
            else document.querySelector('[data-live]').replaceWith(live);
        } catch {
            location.reload();
        }
    };
    setInterval(refresh, 15000);
})();
