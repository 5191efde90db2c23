// Edits a picture by fields: shows it at once as a sketch, then as the server makes it, and lets its crop be dragged. Without it the
// fields are sent as any others. The page of a picture has an editor in its form, that of a new photo one in a dialog.
"use strict";
const pictureEditor = (() => {
    const full = { crop_left: 0, crop_top: 0, crop_width: 100, crop_height: 100 };
    const longest = 1600;
    const inputs = (fields) => [...fields.querySelectorAll("input, select")];
    const reset = (fields) => {
        for (const field of inputs(fields)) {
            if (field.type === "checkbox") field.checked = false;
            else if (field.tagName === "SELECT") field.selectedIndex = 0;
            else field.value = field.dataset.usual;
        }
    };
    const isUsual = (field) => {
        if (field.type === "checkbox") return !field.checked;
        if (field.tagName === "SELECT") return field.selectedIndex === 0;
        return field.value === "" || Number(field.value) === Number(field.dataset.usual);
    };
    const parameters = (fields) => new URLSearchParams(
        inputs(fields).filter((field) => field.type !== "checkbox" || field.checked).map((field) => [field.name, field.value]));

    // The sides of the largest upright part of a picture that is turned by `angle`.
    const kept = (width, height, angle) => {
        const [sine, cosine] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
        if (sine < 1e-9) return [width, height];
        if (cosine < 1e-9) return [height, width];
        const [long, short] = [Math.max(width, height), Math.min(width, height)];
        if (short <= 2 * sine * cosine * long) {
            const half = short / 2;
            return width >= height ? [half / sine, half / cosine] : [half / cosine, half / sine];
        }
        const square = cosine * cosine - sine * sine;
        return [(width * cosine - height * sine) / square, (height * cosine - width * sine) / square];
    };

    // Draws a picture as parameters say, as far as a browser can by itself; without its crop where that is being chosen.
    const sketch = (canvas, bitmap, wanted, isCropped) => {
        const number = (name) => Number(wanted.get(name));
        const angle = (number("turn") + number("straighten")) * Math.PI / 180;
        const [width, height] = kept(bitmap.width, bitmap.height, angle);
        const part = Object.fromEntries(Object.keys(full).map((name) => [name, (isCropped ? number(name) : full[name]) / 100]));
        canvas.width = Math.max(1, Math.round(width * part.crop_width));
        canvas.height = Math.max(1, Math.round(height * part.crop_height));
        const context = canvas.getContext("2d");
        const colours = { greyscale: "grayscale(1) ", sepia: "sepia(1) " }[wanted.get("filter")] ?? "";
        context.filter = `${colours}saturate(${number("saturation")}) contrast(${number("contrast")}) `
            + `brightness(${1 + number("brightness")})`;
        context.translate(width * (.5 - part.crop_left), height * (.5 - part.crop_top));
        context.rotate(angle);
        context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
    };

    // A bounded picture of a file; null for what this browser cannot show.
    const read = (file) => createImageBitmap(file, { resizeWidth: longest, resizeQuality: "medium" }).catch(() => null);

    const create = (editor) => {
        const fields = editor.querySelector("[data-picture-fields]");
        const view = editor.querySelector("[data-view]");
        const canvas = view.querySelector("[data-sketch]");
        const crop = view.querySelector("[data-crop]");
        const unseen = view.querySelector("[data-unseen]");
        const shapes = editor.querySelector("[data-shape]");
        const field = (name) => fields.querySelector(`[name=${name}]`);
        let made = view.querySelector("[data-made]");
        let source = { bitmap: null, address: () => null };
        let timer = 0;
        let asked = 0;
        shapes.closest("label").hidden = false;

        const part = () => Object.keys(full).map((name) => Number(field(name).value));
        const placeCrop = () => {
            const [left, top, width, height] = part();
            crop.hidden = made.hidden && canvas.hidden;
            crop.classList.toggle("whole", width >= 100 && height >= 100);
            Object.assign(crop.style, {
                left: `${left}%`, top: `${top}%`, width: `${Math.min(width, 100 - left)}%`, height: `${Math.min(height, 100 - top)}%`,
            });
        };
        const setPart = (...values) => {
            Object.keys(full).forEach((name, place) => { field(name).value = Math.round(values[place] * 100) / 100; });
            placeCrop();
        };
        const shownAs = (element) => {
            for (const other of [made, canvas, unseen]) other.hidden = other !== element;
            placeCrop();
        };

        // The whole picture: the crop is drawn above it.
        const make = () => {
            const address = source.address();
            if (!address) {
                if (!source.bitmap) shownAs(unseen);
                return;
            }
            const number = ++asked;
            const wanted = parameters(fields);
            for (const [name, value] of Object.entries(full)) wanted.set(name, value);
            wanted.delete("square");
            wanted.set("frame", "");
            const image = new Image();
            image.alt = made.alt;
            image.dataset.made = "";
            image.addEventListener("load", () => {
                if (number !== asked) return;
                made.replaceWith(image);
                made = image;
                shownAs(made);
            });
            image.addEventListener("error", () => { if (number === asked && !source.bitmap && made.hidden) shownAs(unseen); });
            image.src = `${address}?${wanted}`;
        };
        const show = () => {
            for (const slider of fields.querySelectorAll("[type=range]")) slider.nextElementSibling.textContent = slider.value;
            asked += 1;
            if (source.bitmap) {
                sketch(canvas, source.bitmap, parameters(fields), false);
                shownAs(canvas);
            } else placeCrop();
            clearTimeout(timer);
            timer = setTimeout(make, 350);
        };
        fields.addEventListener("input", ({ target }) => {
            if (target.name.startsWith("crop_")) placeCrop(); else show();
        });

        // Width to height of the crop in percent of the picture's sides; null for any.
        const ratio = () => {
            const shown = canvas.hidden ? made : canvas;
            const [width, height] = [shown.clientWidth || 1, shown.clientHeight || 1];
            if (!shapes.value) return null;
            return shapes.value === "original" ? 1 : Number(shapes.value) * height / width;
        };
        shapes.addEventListener("change", () => {
            const wanted = ratio();
            if (!wanted) return;
            const [width, height] = wanted >= 1 ? [100, 100 / wanted] : [100 * wanted, 100];
            setPart((100 - width) / 2, (100 - height) / 2, width, height);
        });
        const clamp = (number, least, most) => Math.min(Math.max(number, least), most);
        const dragged = ([left, top, width, height], corner, x, y) => {
            if (!corner) return [clamp(left + x, 0, 100 - width), clamp(top + y, 0, 100 - height), width, height];
            const [isWest, isNorth] = [corner.includes("w"), corner.includes("n")];
            // The opposite corner stays.
            const [right, bottom] = [left + width, top + height];
            const [roomX, roomY] = [isWest ? right : 100 - left, isNorth ? bottom : 100 - top];
            let [wide, high] = [clamp(isWest ? width - x : width + x, 5, roomX), clamp(isNorth ? height - y : height + y, 5, roomY)];
            const wanted = ratio();
            if (wanted) {
                wide = Math.min(wide, roomY * wanted);
                high = wide / wanted;
            }
            return [isWest ? right - wide : left, isNorth ? bottom - high : top, wide, high];
        };
        crop.addEventListener("pointerdown", (event) => {
            event.preventDefault();
            const corner = event.target.dataset.corner;
            const begin = part();
            const box = view.getBoundingClientRect();
            const move = ({ clientX, clientY }) => setPart(...dragged(
                begin, corner, (clientX - event.clientX) / box.width * 100, (clientY - event.clientY) / box.height * 100));
            crop.setPointerCapture(event.pointerId);
            crop.addEventListener("pointermove", move);
            crop.addEventListener("lostpointercapture", () => crop.removeEventListener("pointermove", move), { once: true });
        });

        return {
            // Shows a picture: `bitmap` where the browser can read it, and the address where the server makes it, once there is one.
            open: ({ bitmap = null, address, edits }) => {
                source = { bitmap, address };
                if (edits !== undefined) {
                    reset(fields);
                    for (const [name, value] of new URLSearchParams(edits)) {
                        const input = field(name);
                        if (input?.type === "checkbox") input.checked = true; else if (input) input.value = value;
                    }
                }
                shapes.value = "";
                [made.hidden, canvas.hidden] = [true, true];
                show();
            },
            reset: () => {
                reset(fields);
                show();
            },
            // The fields as a query; empty where they change nothing.
            get edits() { return inputs(fields).every(isUsual) ? "" : parameters(fields).toString(); },
        };
    };

    const form = document.querySelector("form[data-picture]");
    if (form) {
        const editor = create(form.querySelector("[data-editor]"));
        form.querySelector("[data-first]").remove();
        form.querySelector("[data-preview]").hidden = true;
        const button = form.querySelector("[data-reset]");
        button.hidden = false;
        button.addEventListener("click", editor.reset);
        editor.open({ address: () => form.dataset.picture });
    }
    return { create, read, sketch };
})();
