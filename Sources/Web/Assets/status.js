// Renews the status page every 15 seconds while it is visible and not in use. A checkbox turns that off (WCAG 2.2, 2.2.1 and
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
    const refresh = async () => {
        if (isBusy()) return;
        try {
            const answer = await fetch('/status', { headers: { Accept: 'text/html' }, credentials: 'same-origin' });
            if (!answer.ok) throw new Error(answer.status);
            const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
            if (isBusy()) return;
            document.querySelector('[data-live]').replaceWith(fresh.querySelector('[data-live]'));
        } catch {
            location.reload();
        }
    };
    setInterval(refresh, 15000);
})();
