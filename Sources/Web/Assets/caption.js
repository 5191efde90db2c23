// The page of a photo; it works without this. Likes without a reload, copies and shares the link, tells which of several photos is
// shown, and removes the placeholder once the picture is there: where that is transparent, the placeholder would be seen through it.
'use strict';
(() => {
    const form = document.querySelector('form.like');
    form?.addEventListener('submit', async (event) => {
        event.preventDefault();
        const button = form.querySelector('button');
        const liked = button.getAttribute('aria-pressed') === 'true';
        button.setAttribute('aria-pressed', String(!liked));
        try {
            const answer = await fetch(form.action, {
                method: 'POST', headers: { Accept: 'application/json' }, credentials: 'same-origin',
            });
            if (!answer.ok) throw new Error(answer.status);
            const state = await answer.json();
            button.setAttribute('aria-pressed', String(state.liked));
            form.action = form.action.replace(/[^/]*$/, state.liked ? 'unlike' : 'like');
            form.querySelector('[role=status]').textContent = state.text;
        } catch {
            button.setAttribute('aria-pressed', String(liked));
            form.submit();
        }
    });

    const link = document.querySelector('[data-link]');
    const copy = document.querySelector('[data-copy]');
    const share = document.querySelector('[data-share]');
    link?.addEventListener('focus', () => link.select());
    if (link && copy && navigator.clipboard) {
        const label = copy.textContent;
        copy.hidden = false;
        copy.addEventListener('click', async () => {
            await navigator.clipboard.writeText(link.value);
            copy.textContent = copy.dataset.done;
            setTimeout(() => { copy.textContent = label; }, 2000);
        });
    }
    if (link && share && navigator.share) {
        share.hidden = false;
        share.addEventListener('click', () => {
            navigator.share({ title: document.title, url: link.value }).catch(() => {});
        });
    }

    const stages = document.querySelector('.stages');
    const places = document.querySelectorAll('.places a');
    if (stages) {
        const shown = new IntersectionObserver((entries) => {
            for (const { target, isIntersecting } of entries) {
                if (!isIntersecting) continue;
                for (const place of places) place.ariaCurrent = place.hash === `#${target.id}` ? 'true' : null;
            }
        }, { root: stages, threshold: .6 });
        for (const stage of stages.children) shown.observe(stage);
    }

    const picture = document.querySelector('.stage picture img');
    const gone = () => document.querySelector('.placeholder image')?.remove();
    if (picture?.complete && picture.naturalWidth > 0) gone(); else picture?.addEventListener('load', gone);
})();
