// The page of a photo; it works without this. Likes without a reload, copies and shares the link, tells which of several photos is
// shown, shows them on the full screen, leads to the photos before and after by swipe and arrow keys, and removes the placeholder
// once the picture is there: where that is transparent, the placeholder would be seen through it.
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

    const shareFile = document.querySelector('[data-file]');
    const name = shareFile?.dataset.name;
    const type = shareFile?.dataset.type;
    if (shareFile && navigator.canShare?.({ files: [new File([], name, { type })] })) {
        shareFile.hidden = false;
        shareFile.addEventListener('click', async () => {
            shareFile.disabled = true;
            try {
                const answer = await fetch(shareFile.dataset.file, { credentials: 'same-origin' });
                if (answer.ok) await navigator.share({ files: [new File([await answer.blob()], name, { type })] });
            } catch { /* They have closed it, or are offline. */ }
            shareFile.disabled = false;
        });
    }

    // What is loaded late takes the place of the link that leads to it otherwise.
    const bring = (part) => {
        const late = part?.querySelector('.late');
        late?.replaceWith(late.nextElementSibling.content);
    };
    for (const details of document.querySelectorAll('details:has(> .late)')) {
        details.addEventListener('toggle', () => bring(details), { once: true });
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
        // The next one comes along, but before somebody turns to another there is the first alone.
        const seen = new IntersectionObserver((entries) => {
            for (const { target, isIntersecting } of entries) {
                if (!isIntersecting || target === stages.firstElementChild) continue;
                bring(target);
                bring(target.nextElementSibling);
                seen.unobserve(target);
            }
        }, { root: stages, rootMargin: '0px -1px' });
        for (const stage of stages.children) {
            shown.observe(stage);
            seen.observe(stage);
            for (const late of stage.querySelectorAll('.late')) late.tabIndex = -1;
        }
    }

    // A screen for the pictures alone. There a click, or Enter, shows one at its own size, and again the whole of it.
    const screen = stages ?? document.querySelector('.stage:has(picture)');
    const full = document.querySelector('[data-full]');
    const isFull = () => document.fullscreenElement !== null;
    const zoom = (image, x = .5, y = .5) => {
        const isLarge = image.classList.toggle('large');
        image.sizes = isLarge ? '300vw' : '100vw';
        const stage = image.closest('.stage');
        stage.classList.toggle('scrolls', isLarge);
        stage.scrollTo((stage.scrollWidth - stage.clientWidth) * x, (stage.scrollHeight - stage.clientHeight) * y);
    };
    if (screen && full && document.fullscreenEnabled) {
        full.hidden = false;
        full.addEventListener('click', () => screen.requestFullscreen());
        screen.addEventListener('click', ({ target, clientX, clientY }) => {
            if (isFull() && target.matches('img')) zoom(target, clientX / innerWidth, clientY / innerHeight);
        });
        document.addEventListener('fullscreenchange', () => {
            if (!isFull()) for (const image of screen.querySelectorAll('.large')) zoom(image);
        });
    }

    // The photos before and after. Whoever writes, or is in a row of photos that the keys move, stays.
    const lead = (relation) => document.querySelector(`.neighbours a[rel=${relation}]`)?.click();
    document.addEventListener('keydown', (event) => {
        const isFree = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.defaultPrevented;
        const isTaken = event.target.closest('input, textarea, select, video, [contenteditable], .stages');
        if (!isFree || isTaken || isFull()) return;
        if (event.key === 'ArrowLeft') lead('prev');
        if (event.key === 'ArrowRight') lead('next');
    });
    let touch = null;
    const single = stages ? null : document.querySelector('.stage');
    single?.addEventListener('touchstart', ({ touches }) => {
        touch = touches.length === 1 && visualViewport.scale === 1 && !isFull() ? touches[0] : null;
    }, { passive: true });
    single?.addEventListener('touchend', ({ changedTouches, target }) => {
        const from = touch;
        touch = null;
        if (!from || target.closest('video')) return;
        const [x, y] = [changedTouches[0].clientX - from.clientX, changedTouches[0].clientY - from.clientY];
        if (Math.abs(x) > 60 && Math.abs(x) > 2 * Math.abs(y)) lead(x > 0 ? 'prev' : 'next');
    }, { passive: true });

    const picture = document.querySelector('.stage picture img');
    const gone = () => document.querySelector('.placeholder image')?.remove();
    if (picture?.complete && picture.naturalWidth > 0) gone(); else picture?.addEventListener('load', gone);
})();
